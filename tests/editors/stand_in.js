/**
 * The module `vscode` in a process that is not the editor, for the packaged extension and the client library in it.
 *
 * Its values (positions, ranges, edits, completions) are those of jest-mock-vscode, which are the editor's own
 * code. The rest is written from the documentation of the interface, vscode.d.ts: events, documents that are edited, providers
 * that are registered and asked, commands, and a window that keeps what it was to show. What nobody needs is left out, so that
 * a use of it fails instead of being answered. `session.js` uses nothing else, so it runs in the editor itself as well.
 */

const fs = require('node:fs');
const path = require('node:path');
const { createVSCodeMock } = require('jest-mock-vscode');
const { TextDocument } = require('vscode-languageserver-textdocument');

const inert = (called) => Object.assign((...given) => called?.(...given), { mockImplementation: inert });
const { workspace, window, languages, commands, debug, tasks, ...values } = createVSCodeMock({ fn: inert });
const { Disposable, EventEmitter, Position, Uri } = values;

class Hover {
  constructor(contents, range) {
    this.contents = [contents].flat();
    this.range = range;
  }
}

class InlayHint {
  constructor(position, label, kind) {
    Object.assign(this, { position, label, kind });
  }
}

class CancellationError extends Error {}

class CancellationTokenSource {
  constructor() {
    const emitter = new EventEmitter();
    this.token = { isCancellationRequested: false, onCancellationRequested: emitter.event };
    this.cancel = () => {
      this.token.isCancellationRequested = true;
      emitter.fire();
    };
    this.dispose = () => emitter.dispose();
  }
}

/** A file that is being edited. */
class Document {
  constructor(uri, languageId, text, fired) {
    Object.assign(this, { uri, languageId, version: 1, isDirty: false, isClosed: false, isUntitled: false });
    this._text = TextDocument.create(uri.toString(), languageId, 1, text);
    this._fired = fired;
  }

  get fileName() {
    return this.uri.fsPath;
  }

  getText(range) {
    return this._text.getText(range);
  }

  offsetAt(position) {
    return this._text.offsetAt(position);
  }

  positionAt(offset) {
    const { line, character } = this._text.positionAt(offset);
    return new Position(line, character);
  }

  /** Replace a part; the change as the editor reports it. */
  replace(range, text) {
    const rangeOffset = this.offsetAt(range.start);
    const rangeLength = this.offsetAt(range.end) - rangeOffset;
    TextDocument.update(this._text, [{ range, text }], this.version);
    return { range, rangeOffset, rangeLength, text };
  }

  async save() {
    fs.writeFileSync(this.uri.fsPath, this.getText());
    this.isDirty = false;
    this._fired('onDidSaveTextDocument', this);
    return true;
  }
}

/**
 * An editor that has a folder open.
 *
 * @param {string} folder
 * @param {{configuration?: Record<string, unknown>, isTrusted?: boolean}} [options] settings by their full names
 * @returns the module, and beside the interface `shown`, what the window has shown, in order, and `trust()`, for a user who trusts
 *   the workspace
 */
function editor(folder, { configuration = {}, isTrusted = true } = {}) {
  const shown = { errors: [], information: [], log: [], panels: [], previews: [] };
  const documents = [];
  const providers = {};
  const contents = {};
  const events = {};
  const registered = new Map();
  const collections = [];

  const event = (name) => (events[name] ??= new EventEmitter());
  const listening = (...names) => Object.fromEntries(names.map((name) => [name, event(name).event]));
  const fired = (name, value) => event(name).fire(value);
  const token = () => new CancellationTokenSource().token;

  const suits = (filter, document) =>
    (filter.language === undefined || filter.language === document.languageId) &&
    (filter.scheme === undefined || filter.scheme === document.uri.scheme);
  const register = (name) => (selector, provider) => {
    const entry = { selector: [selector].flat(), provider };
    (providers[name] ??= []).push(entry);
    return new Disposable(() => providers[name].splice(providers[name].indexOf(entry), 1));
  };
  const ask = async (name, document, method, ...words) => {
    const asked = (providers[name] ?? []).filter((entry) => entry.selector.some((each) => suits(each, document)));
    const answers = await Promise.all(asked.map(({ provider }) => provider[method](document, ...words, token())));
    return { answers: answers.filter(Boolean), asked: asked.map(({ provider }) => provider) };
  };
  const opened = (uri) => documents.find((each) => each.uri.toString() === uri.toString());

  const change = (document, edits) => {
    const fromTheEnd = [...edits].sort((one, other) => other.range.start.compareTo(one.range.start));
    const contentChanges = fromTheEnd.map(({ range, newText }) => document.replace(range, newText));
    document.version += 1;
    document.isDirty = true;
    fired('onDidChangeTextDocument', { document, contentChanges, reason: undefined });
  };

  const builtIn = {
    'vscode.executeCodeActionProvider': async (uri, range) => {
      const diagnostics = vscode.languages.getDiagnostics(uri).filter((each) => each.range.intersection(range));
      const context = { diagnostics, triggerKind: 1, only: undefined };
      return (await ask('CodeActions', opened(uri), 'provideCodeActions', range, context)).answers.flat();
    },
    'vscode.executeHoverProvider': async (uri, position) =>
      (await ask('Hover', opened(uri), 'provideHover', position)).answers,
    'vscode.executeCompletionItemProvider': async (uri, position) => {
      const context = { triggerKind: 0, triggerCharacter: undefined };
      const { answers } = await ask('CompletionItem', opened(uri), 'provideCompletionItems', position, context);
      return { items: answers.flatMap((each) => each.items ?? each) };
    },
    'vscode.executeFormatDocumentProvider': async (uri, options) =>
      (await ask('DocumentFormattingEdit', opened(uri), 'provideDocumentFormattingEdits', options)).answers[0],
    'vscode.executeCodeLensProvider': async (uri, most) => {
      const { answers, asked } = await ask('CodeLens', opened(uri), 'provideCodeLenses');
      const lenses = answers.flat().slice(0, most);
      return Promise.all(lenses.map((each) => asked[0].resolveCodeLens(each, token())));
    },
    'markdown.showPreview': async (uri) => shown.previews.push((await vscode.workspace.openTextDocument(uri)).getText()),
    'markdown.showPreviewToSide': async (uri) => builtIn['markdown.showPreview'](uri),
  };

  const names = [
    'CallHierarchy', 'CodeActions', 'CodeLens', 'Color', 'CompletionItem', 'Declaration', 'Definition', 'DocumentFormattingEdit',
    'DocumentHighlight', 'DocumentLink', 'DocumentRangeFormattingEdit', 'DocumentSemanticTokens', 'DocumentSymbol', 'FoldingRange',
    'Hover', 'Implementation', 'InlayHints', 'Reference', 'Rename', 'SelectionRange', 'SignatureHelp', 'TypeDefinition',
  ];

  const vscode = {
    ...values,
    version: '1.91.0',
    shown,
    trust() {
      vscode.workspace.isTrusted = true;
      fired('onDidGrantWorkspaceTrust');
    },
    Hover,
    InlayHint,
    CancellationError,
    CancellationTokenSource,
    CodeActionTriggerKind: { Invoke: 1, Automatic: 2 },
    env: { appName: 'stand-in', language: 'en' },
    commands: {
      registerCommand(name, does) {
        if (registered.has(name)) {
          throw new Error(`command '${name}' already exists`);
        }
        registered.set(name, does);
        return new Disposable(() => registered.delete(name));
      },
      async executeCommand(name, ...words) {
        const does = registered.get(name) ?? builtIn[name];
        if (does === undefined) {
          throw new Error(`command '${name}' not found`);
        }
        return does(...words);
      },
    },
    languages: {
      ...Object.fromEntries(names.map((name) => [`register${name}Provider`, register(name)])),
      registerWorkspaceSymbolProvider: () => new Disposable(() => undefined),
      match: (selector, document) => ([selector].flat().some((each) => suits(each, document)) ? 10 : 0),
      createDiagnosticCollection() {
        const found = new Map();
        const collection = {
          set: (uri, diagnostics) => found.set(uri.toString(), diagnostics ?? []),
          delete: (uri) => found.delete(uri.toString()),
          clear: () => found.clear(),
          dispose: () => found.clear(),
          get: (uri) => found.get(uri.toString()),
        };
        collections.push(collection);
        return collection;
      },
      getDiagnostics: (uri) => collections.flatMap((each) => each.get(uri) ?? []),
    },
    workspace: {
      ...listening(
        'onDidChangeConfiguration', 'onDidChangeTextDocument', 'onDidChangeWorkspaceFolders', 'onDidCloseTextDocument',
        'onDidCreateFiles', 'onDidDeleteFiles', 'onDidGrantWorkspaceTrust', 'onDidOpenTextDocument', 'onDidRenameFiles',
        'onDidSaveTextDocument', 'onWillSaveTextDocument',
      ),
      isTrusted,
      textDocuments: documents,
      notebookDocuments: [],
      workspaceFolders: [{ uri: Uri.file(folder), name: path.basename(folder), index: 0 }],
      getConfiguration: (section) => ({
        get: (name, otherwise) => configuration[section ? `${section}.${name}` : name] ?? otherwise,
      }),
      getWorkspaceFolder: () => vscode.workspace.workspaceFolders[0],
      fs: { readFile: async (uri) => new Uint8Array(fs.readFileSync(uri.fsPath)) },
      asRelativePath: (uri) => path.relative(folder, uri.fsPath),
      async findFiles(pattern) {
        const name = path.basename(pattern);
        const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
        return entries.filter((each) => each.name === name).map((each) => Uri.file(path.join(each.parentPath, name)));
      },
      registerTextDocumentContentProvider(scheme, provider) {
        contents[scheme] = provider;
        return new Disposable(() => delete contents[scheme]);
      },
      async openTextDocument(given) {
        const uri = typeof given === 'string' ? Uri.file(given) : given;
        if (opened(uri)) {
          return opened(uri);
        }
        const text = contents[uri.scheme]?.provideTextDocumentContent(uri, token()) ?? fs.readFileSync(uri.fsPath, 'utf8');
        const language = path.extname(uri.path) === '.tune' ? 'tune' : 'markdown';
        const document = new Document(uri, language, text, fired);
        documents.push(document);
        fired('onDidOpenTextDocument', document);
        return document;
      },
      async applyEdit(edit) {
        for (const [uri, edits] of edit.entries()) {
          change(await vscode.workspace.openTextDocument(uri), edits);
        }
        return true;
      },
    },
    window: {
      ...listening('onDidChangeActiveTextEditor', 'onDidChangeVisibleTextEditors'),
      activeTextEditor: undefined,
      visibleTextEditors: [],
      tabGroups: { all: [], ...listening('onDidChangeTabGroups', 'onDidChangeTabs') },
      createOutputChannel(name) {
        const log = (text) => shown.log.push(String(text));
        const levels = { logLevel: values.LogLevel.Info, ...listening('onDidChangeLogLevel') };
        const writing = { info: log, warn: log, error: log, debug: log, trace: log, append: log, appendLine: log };
        return { name, ...levels, ...writing, show() {}, dispose() {} };
      },
      async showTextDocument(document) {
        vscode.window.activeTextEditor = { document };
        vscode.window.visibleTextEditors = [vscode.window.activeTextEditor];
        fired('onDidChangeVisibleTextEditors', vscode.window.visibleTextEditors);
        fired('onDidChangeActiveTextEditor', vscode.window.activeTextEditor);
        return vscode.window.activeTextEditor;
      },
      showErrorMessage: async (text) => void shown.errors.push(text),
      showInformationMessage: async (text) => void shown.information.push(text),
      withProgress: (_, task) => task({ report() {} }, token()),
      createWebviewPanel(type, title, column, options) {
        const closed = new EventEmitter();
        const closing = { onDidDispose: closed.event, dispose: () => closed.fire() };
        const panel = { title, options, webview: { html: '' }, reveal() {}, ...closing };
        shown.panels.push(panel);
        return panel;
      },
    },
  };
  return vscode;
}

module.exports = { editor };
