/**
 * Show Plan: what a policy sets, and why, beside the policy. The page is the one of `setpoint plan --format html`; it follows
 * the policy as that is saved.
 */

const path = require('path');
const vscode = require('vscode');
const { openPage, protectedPage } = require('./page');
const { LANGUAGE, folderOf, savedPolicy } = require('./policy');
const { MissingError, run, runShown } = require('./program');

/** What a page has for each plan: without one, there are errors only. */
const A_PLAN = '<article';

/** The plans that are shown, one for each policy. */
class Plans {
  /** @param {vscode.LogOutputChannel} output */
  constructor(output) {
    this._output = output;
    /** @type {Map<string, {panel: vscode.WebviewPanel, document: vscode.TextDocument}>} by the address of the policy */
    this._shown = new Map();
    this._saved = vscode.workspace.onDidSaveTextDocument((document) => this._refresh(document));
  }

  /** Show the plan of the policy in the editor. */
  async show() {
    const document = await savedPolicy();
    if (document === undefined) {
      return;
    }
    const html = await runShown('Setpoint: planning', arguments_(document), folderOf(document), A_PLAN, this._output);
    if (html === undefined) {
      return;
    }
    const { panel } = this._shown.get(document.uri.toString()) ?? this._open(document);
    panel.webview.html = protectedPage(html);
    panel.reveal(undefined, true);
  }

  dispose() {
    this._saved.dispose();
    for (const { panel } of [...this._shown.values()]) {
      panel.dispose();
    }
  }

  /** @param {vscode.TextDocument} document */
  _open(document) {
    const key = document.uri.toString();
    const panel = openPage(`Plan of ${path.basename(document.uri.fsPath)}`, vscode.ViewColumn.Beside);
    panel.onDidDispose(() => this._shown.delete(key));
    const opened = { panel, document };
    this._shown.set(key, opened);
    return opened;
  }

  /**
   * Renew all plans, since a file may be included by any policy. One that cannot be planned any more stays as it was: the
   * errors are among the problems.
   *
   * @param {vscode.TextDocument} saved
   */
  async _refresh(saved) {
    if (saved.languageId !== LANGUAGE) {
      return;
    }
    for (const { panel, document } of [...this._shown.values()]) {
      try {
        const { out } = await run(arguments_(document), folderOf(document));
        if (out.includes(A_PLAN) && this._shown.has(document.uri.toString())) {
          panel.webview.html = protectedPage(out);
        }
      } catch (error) {
        if (!(error instanceof MissingError)) {
          throw error;
        }
      }
    }
  }
}

/**
 * @param {vscode.TextDocument} document
 * @returns {string[]} the arguments of the program
 */
function arguments_(document) {
  return ['plan', '--format', 'html', document.uri.fsPath];
}

module.exports = { Plans };
