/**
 * Compare with HEAD: what the policy in the editor changes since the last commit, as the comment of a review has it. It is
 * the Markdown of `setpoint diff`, in the editor's own preview.
 */

const vscode = require('vscode');
const { folderOf, savedPolicy } = require('./policy');
const { runShown } = require('./program');

const SCHEME = 'setpoint-comparison';

/** How each comment begins. */
const A_COMMENT = '**Setpoint:**';

/** The texts of comparisons, by the addresses under which the editor opens them. */
class Comparisons {
  constructor() {
    /** @type {Map<string, string>} */
    this._texts = new Map();
    /** @type {vscode.EventEmitter<vscode.Uri>} */
    this._changed = new vscode.EventEmitter();
    this._provided = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      onDidChange: this._changed.event,
      provideTextDocumentContent: (uri) => this._texts.get(uri.toString()) ?? '',
    });
  }

  /**
   * Keep a text.
   *
   * @param {vscode.Uri} policy the file that it is about
   * @param {string} markdown
   * @returns {vscode.Uri} where the editor finds it
   */
  keep(policy, markdown) {
    const uri = policy.with({ scheme: SCHEME, path: `${policy.path} since HEAD.md` });
    this._texts.set(uri.toString(), markdown);
    this._changed.fire(uri);
    return uri;
  }

  dispose() {
    this._provided.dispose();
    this._changed.dispose();
  }
}

/**
 * @param {Comparisons} comparisons
 * @param {vscode.LogOutputChannel} output
 */
async function compareWithHead(comparisons, output) {
  const document = await savedPolicy();
  if (document === undefined) {
    return;
  }
  const words = ['diff', '--format', 'markdown', 'HEAD', document.uri.fsPath];
  const markdown = await runShown('Setpoint: comparing', words, folderOf(document), A_COMMENT, output);
  if (markdown !== undefined) {
    const uri = comparisons.keep(document.uri, markdown);
    await vscode.commands.executeCommand('markdown.showPreviewToSide', uri);
  }
}

module.exports = { Comparisons, compareWithHead };
