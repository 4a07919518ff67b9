/** The language server `setpoint lsp`, as long as the editor runs, and what is said if it cannot be started or ends. */

const vscode = require('vscode');
const { CloseAction, ErrorAction, LanguageClient, State, TransportKind } = require('vscode-languageclient/node');
const { LANGUAGE } = require('./policy');
const { MissingError, environment, program, reportMissing } = require('./program');

/** How long a server that could not be started may take to end, in milliseconds. */
const PATIENCE = 1000;

/** The end of the client's error if there is no such program, or if it cannot be executed. */
const NOT_FOUND = /\bspawn .* (ENOENT|EACCES)$/;

/**
 * A client that logs its errors. Otherwise it shows a message for each of the many consequences of one failure; `Server` shows
 * the cause.
 */
class Client extends LanguageClient {
  /**
   * @param {string} message
   * @param {any} [data]
   */
  error(message, data) {
    super.error(message, data, false);
  }
}

/** At most one running server. */
class Server {
  /** @param {vscode.LogOutputChannel} output where messages of the server are shown */
  constructor(output) {
    this._output = output;
    /** @type {Client | undefined} the client of a server that has started */
    this._client = undefined;
    /** Starts and stops follow one another. */
    this._last = Promise.resolve();
  }

  /** Start the server, and end the one that is running; in a workspace that is not trusted, none is started. */
  restart() {
    return this._then(async () => {
      await this._stop();
      if (vscode.workspace.isTrusted) {
        await this._start();
      }
    });
  }

  /** End the server. */
  stop() {
    return this._then(() => this._stop());
  }

  /** @param {() => Promise<void>} step */
  _then(step) {
    this._last = this._last.then(step, step);
    return this._last;
  }

  async _start() {
    let written = '';
    /** @type {Promise<void>} */
    let ended = Promise.resolve();
    const command = program();
    /** @type {Client} */
    const client = new Client(
      'setpoint',
      'Setpoint',
      { command, args: ['lsp'], transport: TransportKind.stdio, options: { env: environment() } },
      {
        documentSelector: [
          { scheme: 'file', language: LANGUAGE },
          { scheme: 'untitled', language: LANGUAGE },
        ],
        outputChannel: this._output,
        initializationFailedHandler: () => false,
        errorHandler: {
          error: () => ({ action: ErrorAction.Continue }),
          closed: () => this._afterEnd(client, restarts),
        },
        stdioOptions: {
          stdout: () => undefined, // carries the protocol
          stderr: (stream) => {
            ended = new Promise((resolve) => stream.on('close', resolve));
            stream.setEncoding('utf8').on('data', (text) => {
              written += text;
              this._output.error(text.trimEnd());
            });
          },
        },
      },
    );
    const restarts = client.createDefaultErrorHandler();
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Running) {
        this._output.info(`${command} lsp, version ${client.initializeResult?.serverInfo?.version}, is running`);
      }
    });
    try {
      await client.start();
      this._client = client;
    } catch (error) {
      if (NOT_FOUND.test(String(error))) {
        void reportMissing(new MissingError(command, error));
        return;
      }
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
      const cause = written.trim() || String(error);
      void this._report(`the language server did not start. ${cause.split('\n').slice(-2).join(' ')}`);
    }
  }

  /**
   * Decide what happens after the end of a server: one that had started is started again, but not for ever.
   *
   * @param {Client} client
   * @param {import('vscode-languageclient/node').ErrorHandler} restarts
   */
  async _afterEnd(client, restarts) {
    if (this._client !== client) {
      return { action: CloseAction.DoNotRestart };
    }
    const result = await restarts.closed();
    if (result.action === CloseAction.DoNotRestart) {
      void this._report('the language server has ended five times in three minutes, and is not started again.');
    }
    return result;
  }

  /** @param {string} text */
  async _report(text) {
    const show = 'Show Output';
    if ((await vscode.window.showErrorMessage(`Setpoint: ${text}`, show)) === show) {
      this._output.show();
    }
  }

  async _stop() {
    const client = this._client;
    this._client = undefined;
    await client?.dispose();
  }
}

module.exports = { Server };
