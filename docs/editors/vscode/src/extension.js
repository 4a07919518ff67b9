/**
 * The extension: it starts the language server, and adds commands to the palette.
 *
 * Almost everything that an editor shows of a policy comes from `setpoint lsp`, and the editor's own views show it: problems,
 * completion, hovers, repairs, symbols, lenses. The commands are what the protocol has no view for. They run the same program
 * as one does on a command line, so that both show the same.
 *
 * A workspace that is not trusted gets colours and snippets only. The program may be one of the workspace, and git, which the
 * server asks for the last commit, obeys the configuration of a repository.
 */

const vscode = require('vscode');
const { compareWithHead, Comparisons } = require('./compare');
const { Plans } = require('./plan');
const { openReport } = require('./report');
const { Server } = require('./server');

/** @type {InstanceType<typeof Server> | undefined} */
let server;

/**
 * Called by the editor when the first policy is opened or a command is chosen; resolves when the server is ready or has failed.
 *
 * @param {vscode.ExtensionContext} context
 */
async function activate(context) {
  const output = vscode.window.createOutputChannel('Setpoint', { log: true });
  const running = (server = new Server(output));
  const plans = new Plans(output);
  const comparisons = new Comparisons();
  const { registerCommand } = vscode.commands;
  context.subscriptions.push(
    output,
    plans,
    comparisons,
    registerCommand('setpoint.showPlan', () => plans.show()),
    registerCommand('setpoint.compareWithHead', () => compareWithHead(comparisons, output)),
    registerCommand('setpoint.openReport', openReport),
    registerCommand('setpoint.restartServer', () => running.restart()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => running.restart()),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration('setpoint.path')) {
        await running.restart();
      }
    }),
  );
  await running.restart();
}

/** Called by the editor as it ends; it waits for the server to end as well. */
function deactivate() {
  return server?.stop();
}

module.exports = { activate, deactivate };
