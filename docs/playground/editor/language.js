// The language for CodeMirror, from the grammar that Visual Studio Code has: one list of what has which colour, which the tests compare with
// the compiler's tokens.
//
// Of TextMate's grammars this reads what that one uses: patterns that match within a line, and texts with a beginning, an end and patterns
// between. No text goes on in the next line.

import { LanguageSupport, StreamLanguage } from "@codemirror/language";
import grammar from "../../editors/vscode/syntaxes/tune.tmLanguage.json";

// How the names of scopes begin, and the tags of CodeMirror; the first that fits.
const TAGS = [
  ["comment", "comment"],
  ["constant.character.escape", "escape"],
  ["string", "string"],
  ["constant", "number"],
  ["keyword", "keyword"],
  ["variable", "variableName"],
  ["invalid", "invalid"],
  ["punctuation", "punctuation"],
];

const tag = (scope) => TAGS.find(([start]) => scope.startsWith(start))[1];

// The patterns as they are tried in turn at a place.
function patterns(list) {
  return list.flatMap((each) => {
    if (each.include) return patterns([grammar.repository[each.include.slice(1)]]);
    if (each.match) return [{ match: new RegExp(each.match, "y"), tag: tag(each.name) }];
    if (!each.begin) return patterns(each.patterns);
    const within = { end: new RegExp(each.end, "y"), patterns: patterns(each.patterns), tag: tag(each.name) };
    return [{ match: new RegExp(each.begin, "y"), tag: within.tag, within }];
  });
}

const OUTSIDE = patterns(grammar.patterns);

// Whether a pattern matches at the place of the stream, which then is behind the match.
function matches(pattern, stream) {
  pattern.lastIndex = stream.pos;
  const found = pattern.exec(stream.string);
  if (!found) return false;
  stream.pos += found[0].length;
  return true;
}

function token(stream, state) {
  if (stream.sol()) state.within = null;
  const { within } = state;
  if (!within && stream.eatSpace()) return null;
  for (const each of within?.patterns ?? OUTSIDE) {
    if (!matches(each.match, stream)) continue;
    state.within = each.within ?? within;
    return each.tag;
  }
  const start = stream.pos;
  if (within && matches(within.end, stream)) {
    state.within = null;
    if (stream.pos > start) return within.tag;
  }
  stream.next();
  return within?.tag ?? null;
}

export const tune = () =>
  new LanguageSupport(
    StreamLanguage.define({
      name: "tune",
      startState: () => ({ within: null }),
      token,
      languageData: { commentTokens: { line: "#" }, wordChars: ".+-" },
    }),
  );
