// An editor of a text in the language: CodeMirror (decision 0056), with colours, line numbers, findings at their places, words that
// the compiler proposes, search and undo. `assemble.py` bundles this into the file `editor.js` that the page loads.
//
// The editor is in a shadow tree: there CodeMirror's styles are adopted sheets, which the page's policy allows, and no `style` elements.

import { acceptCompletion, autocompletion, completionKeymap, startCompletion } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { lintGutter, lintKeymap, linter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { tune } from "./language.js";
import { theme } from "./theme.js";

const REASON = 'because ""';

export class Editor {
  #view;
  #extensions;

  // In the element `host`, whose label is read aloud. `onChange` is called after each change but those by `open`; `propose` gets the text
  // before the cursor and gives `{written, words, more, whole}`, or null.
  constructor(host, label, onChange, propose = async () => null) {
    const isTab = { key: "Tab", run: acceptCompletion }; // otherwise Tab leaves the editor, as it leaves every field
    this.#extensions = [
      [lineNumbers(), highlightActiveLineGutter(), highlightSpecialChars(), drawSelection(), EditorView.lineWrapping],
      [history(), bracketMatching(), indentUnit.of("    "), EditorState.tabSize.of(4)],
      [search({ top: true }), highlightSelectionMatches()],
      [linter(null), lintGutter()],
      autocompletion({ override: [(context) => completions(context, propose)], icons: false }),
      keymap.of([isTab, ...completionKeymap, ...lintKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap]),
      EditorView.contentAttributes.of({ "aria-label": label, autocapitalize: "off" }),
      EditorView.updateListener.of((update) => update.docChanged && onChange()),
      [tune(), theme],
    ];
    const root = host.attachShadow({ mode: "open" });
    this.#view = new EditorView({ root, parent: root, state: this.#state("") });
  }

  get text() {
    return this.#view.state.doc.toString();
  }

  // Show another text, whose history begins here.
  open(text) {
    this.#view.setState(this.#state(text));
  }

  // Change the text into another one, in one step that can be undone: only what differs between both is written.
  replace(text) {
    const before = this.text;
    if (before === text) return;
    const least = Math.min(before.length, text.length);
    let start = 0;
    while (start < least && before[start] === text[start]) start += 1;
    let end = 0;
    while (end < least - start && before.at(-1 - end) === text.at(-1 - end)) end += 1;
    const changes = { from: start, to: before.length - end, insert: text.slice(start, text.length - end) };
    this.#view.dispatch({ changes, userEvent: "input.replace" });
  }

  focus() {
    this.#view.focus();
  }

  select(from, to = from) {
    const most = this.#view.state.doc.length;
    this.#view.dispatch({ selection: { anchor: Math.min(from, most), head: Math.min(to, most) }, scrollIntoView: true });
    this.#view.focus();
  }

  // A repair has written a reason that is empty: put the cursor there.
  askForReason() {
    const place = this.text.indexOf(REASON);
    if (place >= 0) this.select(place + REASON.length - 1);
  }

  // Mark findings at their places, given as `{start, end, severity, code, message, nodes, actions}`; an action has a name and `apply`.
  mark(findings) {
    const most = this.#view.state.doc.length;
    const diagnostics = findings.map(({ start, end, severity, code, message, nodes, actions }) => ({
      ...{ from: Math.min(start, most), to: Math.min(end, most), severity, source: code, message, actions },
      renderMessage: () => nodes(),
    }));
    this.#view.dispatch(setDiagnostics(this.#view.state, diagnostics));
  }

  #state(doc) {
    return EditorState.create({ doc, extensions: this.#extensions });
  }
}

// The words that the compiler proposes at the cursor: where one is being written, after one and a space, and where somebody asks for them.
async function completions(context, propose) {
  const before = context.state.sliceDoc(0, context.pos);
  if (!context.explicit && !/[\w.+-] ?$/.test(before)) return null;
  const answer = await propose(before);
  if (!answer || context.aborted || (answer.whole && !context.explicit)) return null;
  const { written, words, more } = answer;
  const options = words.map(({ word, about }) => ({ label: word, detail: about, apply }));
  if (more) options.push({ label: `${more} more: write on`, apply: () => {} });
  return { from: context.pos - written.length, options, filter: false };
}

// Write a word and a space behind it, and propose what can follow.
function apply(view, { label }, from, to) {
  const isSpaced = view.state.sliceDoc(to, to + 1) === " ";
  const insert = isSpaced ? label : `${label} `;
  const anchor = from + label.length + 1;
  view.dispatch({ changes: { from, to, insert }, selection: { anchor }, userEvent: "input.complete" });
  startCompletion(view);
}
