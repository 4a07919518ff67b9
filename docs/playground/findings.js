// Findings as a list: what is wrong and where, and the repairs as buttons.

import { element, prose } from "./dom.js";

// `editors` are those of the files, by their names, `apply` changes the texts. Errors are shown with everything, warnings on demand;
// what the reader has opened or closed stays so while the finding does.
export function showFindings(list, findings, editors, apply) {
  const isOpen = new Map(Array.from(list.querySelectorAll("details"), (each) => [each.dataset.finding, each.open]));
  list.replaceChildren(...findings.map((finding) => item(finding, editors, apply, isOpen)));
}

function item(finding, editors, apply, isOpen) {
  const badge = element("span", { className: `badge ${finding.severity}` }, finding.severity);
  const parts = [element("summary", {}, badge, " ", ...prose(finding.message))];
  const places = finding.places.map((place) => element("li", {}, ...shownPlace(place, editors)));
  if (places.length) parts.push(element("ul", { className: "places" }, ...places));
  parts.push(...finding.notes.map((note) => element("p", { className: "note" }, ...prose(note))));
  parts.push(...finding.help.map((help) => element("p", { className: "help" }, ...prose(help))));
  if (finding.repairs.length) {
    parts.push(element("p", { className: "repairs" }, ...finding.repairs.map((repair) => button(repair, apply))));
  }
  const page = element("a", { href: `diagnostics/${finding.code}.html` }, `What ${finding.code} means`);
  parts.push(element("p", { className: "help" }, page));
  const details = element("details", {}, ...parts);
  details.dataset.finding = `${finding.code} ${finding.message}`;
  details.open = isOpen.get(details.dataset.finding) ?? finding.severity === "error";
  return element("li", { className: finding.severity }, details);
}

// A place: its text, which selects it in the editor if it is there, and what is said of it.
function shownPlace(place, editors) {
  const editor = editors[place.file];
  const label = place.label && `: ${place.label}`;
  const text = place.text.trim(); // the end of a file has none
  const where = editor && place.file === "policy.tune" ? `line ${place.line}` : `${place.file}, line ${place.line}`;
  if (!editor || place.start === undefined) return [element("code", {}, text || where), label, text ? ` (${where})` : ""];
  const select = element("button", { type: "button", className: "place", title: `select ${where}` }, text || where);
  select.addEventListener("click", () => editor.select(place.start, place.end));
  return [select, label, text ? ` (${where})` : ""];
}

function button(repair, apply) {
  const title = repair.verified ? [...prose(repair.title), " ", element("small", {}, "verified")] : prose(repair.title);
  const made = element("button", { type: "button", className: "repair" }, ...title);
  made.addEventListener("click", () => apply(repair.texts));
  return made;
}

// Mark the findings at their places in the editors, with their repairs.
export function markFindings(findings, editors, apply) {
  for (const [file, editor] of Object.entries(editors)) {
    editor.mark(
      findings.flatMap((finding) => {
        const place = finding.places.find((each) => each.file === file && each.start !== undefined);
        return place ? [{ ...finding, ...place, nodes: () => element("span", {}, ...prose(finding.message)), actions: actions(finding, apply) }] : [];
      }),
    );
  }
}

const actions = ({ repairs }, apply) =>
  repairs.map(({ title, verified, texts }) => ({ name: title.replaceAll("`", "") + (verified ? " (verified)" : ""), apply: () => apply(texts) }));
