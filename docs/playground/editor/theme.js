// How an editor looks: in the colours of the page, whose variables reach into its shadow tree. The marks of findings are drawn by borders and
// lines, since the page's policy lets no picture load that is not a file.

import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const MONOSPACE = "ui-monospace, monospace";

const wavy = (color) => ({ backgroundImage: "none", textDecoration: `underline wavy ${color}`, textUnderlineOffset: "3px" });
const dot = (color, shape) => ({ content: "none", backgroundColor: color, borderRadius: shape, height: ".65em", marginTop: ".4em", width: ".65em" });
const button = { background: "var(--paper)", border: "1px solid var(--field)", borderRadius: ".25rem", color: "var(--ink)", font: "inherit", padding: ".2rem .45rem" };

const look = EditorView.theme({
  "&": { backgroundColor: "var(--paper)", color: "var(--ink)", fontSize: ".95rem", maxHeight: "70vh" },
  "&.cm-focused": { outline: "2px solid var(--link)", outlineOffset: "1px" },
  ".cm-scroller": { fontFamily: MONOSPACE, lineHeight: "1.5", overflow: "auto" },
  ".cm-content": { caretColor: "var(--ink)", padding: ".4rem 0" },
  ".cm-content, .cm-gutter": { minHeight: "8rem" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--shade)", borderRight: "1px solid var(--line)", color: "var(--quiet)" },
  ".cm-activeLine": { backgroundColor: "transparent" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--ink)", fontWeight: "600" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { background: "var(--chosen)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--chosen)" },
  ".cm-searchMatch": { backgroundColor: "var(--chosen)", outline: "1px solid var(--field)" },
  ".cm-searchMatch-selected": { outline: "2px solid var(--link)" },
  ".cm-lintRange-error": wavy("var(--alarm)"),
  ".cm-lintRange-warning": wavy("var(--caution)"),
  ".cm-lintRange-active": { backgroundColor: "var(--shade)" },
  ".cm-gutter-lint": { width: "1.1em" },
  ".cm-lint-marker": { marginInline: "auto", width: ".65em" },
  ".cm-lint-marker-error": dot("var(--alarm)", "50%"),
  ".cm-lint-marker-warning": dot("var(--caution)", "1px"),
  ".cm-tooltip": { backgroundColor: "var(--paper)", border: "1px solid var(--field)", borderRadius: ".25rem", color: "var(--ink)", maxWidth: "min(34rem, 92vw)" },
  ".cm-diagnostic": { padding: ".4rem .6rem", overflowWrap: "anywhere" },
  ".cm-diagnostic-error": { borderLeft: "3px solid var(--alarm)" },
  ".cm-diagnostic-warning": { borderLeft: "3px solid var(--caution)" },
  ".cm-diagnosticAction": { ...button, cursor: "pointer", display: "block", margin: ".35rem 0 0", textAlign: "left" },
  ".cm-diagnosticAction:hover": { background: "var(--shade)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: MONOSPACE, maxHeight: "14em", maxWidth: "92vw" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: ".2rem .5rem" },
  ".cm-tooltip-autocomplete ul li[aria-selected], .cm-tooltip.cm-tooltip-autocomplete ul li[aria-selected]": { background: "var(--link)", color: "var(--paper)" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-completionDetail": { fontStyle: "normal", fontFamily: "system-ui, sans-serif" },
  ".cm-panels": { backgroundColor: "var(--shade)", color: "var(--ink)" },
  ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panels.cm-panels-bottom": { borderTop: "1px solid var(--line)" },
  ".cm-panel.cm-search": { padding: ".4rem 2rem .4rem .5rem" },
  ".cm-panel.cm-panel-lint ul [aria-selected]": { backgroundColor: "var(--paper)" },
  ".cm-textfield": { ...button, fontSize: ".9rem" },
  ".cm-button": { ...button, backgroundImage: "none", fontSize: ".9rem" },
  ".cm-panel button[name=close]": { color: "var(--ink)", fontSize: "1.1rem", minWidth: "1.6rem" },
});

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--code-word)" },
  { tag: tags.string, color: "var(--code-text)" },
  { tag: tags.escape, color: "var(--code-text)", fontWeight: "bold" },
  { tag: tags.number, color: "var(--code-number)" },
  { tag: [tags.comment, tags.punctuation], color: "var(--code-quiet)" },
  { tag: tags.invalid, textDecoration: "underline wavy var(--alarm)" },
]);

export const theme = [look, syntaxHighlighting(colours)];
