/**
 * The program `setpoint`, run as a command line would run it, but without a shell: arguments are passed as a list, so that no
 * file name is read as a command.
 */

const { spawn } = require('child_process');
const path = require('path');
const vscode = require('vscode');

/** How to install the program, from a checkout of Setpoint. */
const INSTALL = "pipx install '.[lsp]'";

/** The program could not be started: `command` is what was tried. */
class MissingError extends Error {
  /**
   * @param {string} command
   * @param {unknown} cause
   */
  constructor(command, cause) {
    super(`\`${command}\` could not be started`, { cause });
    this.command = command;
  }
}

/**
 * The configured program, as `spawn` takes it.
 *
 * @returns {string} a name that is looked up on the PATH, or an absolute path
 */
function program() {
  const command = vscode.workspace.getConfiguration('setpoint').get('path', '') || 'setpoint';
  const isName = !/[\\/]/.test(command);
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  return isName || path.isAbsolute(command) || !folder ? command : path.join(folder, command);
}

/** The environment of the program: Python writes UTF-8 to a pipe, on Windows too. */
function environment() {
  return { ...process.env, PYTHONUTF8: '1' };
}

/**
 * @typedef {object} Ran what the program did
 * @property {number | null} status its exit status; null if it was ended by a signal
 * @property {string} out its standard output
 * @property {string} err its error stream
 */

/**
 * Run the program to its end.
 *
 * @param {string[]} words its arguments
 * @param {string} cwd its working folder
 * @param {AbortSignal} [signal] what ends it early
 * @returns {Promise<Ran>} rejects with a MissingError if it cannot be started
 */
function run(words, cwd, signal) {
  const command = program();
  return new Promise((resolve, reject) => {
    const stdio = /** @type {['ignore', 'pipe', 'pipe']} */ (['ignore', 'pipe', 'pipe']);
    const running = spawn(command, words, { cwd, env: environment(), shell: false, stdio, windowsHide: true });
    const ran = { out: '', err: '' };
    const end = () => running.kill();
    signal?.addEventListener('abort', end, { once: true });
    running.stdout.setEncoding('utf8').on('data', (text) => (ran.out += text));
    running.stderr.setEncoding('utf8').on('data', (text) => (ran.err += text));
    running.on('error', (error) => reject(new MissingError(command, error)));
    running.on('close', (status) => {
      signal?.removeEventListener('abort', end);
      resolve({ status, ...ran });
    });
  });
}

/**
 * Say that the program is missing, and offer what helps.
 *
 * @param {MissingError} error
 */
async function reportMissing(error) {
  const copy = 'Copy Command';
  const configure = 'Open Settings';
  const chosen = await vscode.window.showErrorMessage(
    `Setpoint: ${error.message}. Install it from a checkout of Setpoint: ${INSTALL} (Python 3.11 or later). ` +
      'If it is installed elsewhere, set `setpoint.path`.',
    copy,
    configure,
  );
  if (chosen === copy) {
    await vscode.env.clipboard.writeText(INSTALL);
  } else if (chosen === configure) {
    await vscode.commands.executeCommand('workbench.action.openSettings', 'setpoint.path');
  }
}

/**
 * Say why the program has nothing to show: its first error, and the rest in the output.
 *
 * @param {Ran} ran
 * @param {vscode.LogOutputChannel} output
 */
async function reportFailure(ran, output) {
  const ending = `the program ended with status ${ran.status}`;
  const [first] = ran.err.split('\n', 1);
  const show = 'Show Output';
  output.error(ran.err || ending);
  if ((await vscode.window.showErrorMessage(`Setpoint: ${first || ending}`, show)) === show) {
    output.show();
  }
}

/**
 * Run the program for a command of the palette, with its progress shown and a way to cancel it.
 *
 * @param {string} title what is shown meanwhile
 * @param {string[]} words its arguments
 * @param {string} cwd its working folder
 * @param {string} mark what its output contains if there is something to show, however many errors there are
 * @param {vscode.LogOutputChannel} output
 * @returns {Promise<string | undefined>} its standard output; undefined if it lacks the mark, after a message about the reason
 */
async function runShown(title, words, cwd, mark, output) {
  const cancelled = new AbortController();
  try {
    const ran = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      (_, token) => {
        token.onCancellationRequested(() => cancelled.abort());
        return run(words, cwd, cancelled.signal);
      },
    );
    if (ran.out.includes(mark)) {
      return ran.out;
    }
    if (!cancelled.signal.aborted) {
      void reportFailure(ran, output);
    }
  } catch (error) {
    if (!(error instanceof MissingError)) {
      throw error;
    }
    void reportMissing(error);
  }
  return undefined;
}

module.exports = { MissingError, environment, program, reportMissing, run, runShown };
