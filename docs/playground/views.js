// The views: each draws one answer of the compiler.

import { byId, element, fill, prose } from "./dom.js";

// The plan is HTML made by the compiler, with all that was typed escaped; this page's policy lets nothing in it run either.
export function drawPlan(html) {
  const place = byId("plan");
  const opened = new Set(Array.from(place.querySelectorAll("details[open]"), subjectOf));
  const plan = new DOMParser().parseFromString(html, "text/html").body;
  if (!html) plan.append(element("p", {}, "There is no plan while the policy has such errors."));
  for (const heading of plan.querySelectorAll("h1, h2")) {
    const lower = element(heading.tagName === "H1" ? "h2" : "h3");
    lower.append(...heading.childNodes);
    heading.replaceWith(lower);
  }
  for (const details of plan.querySelectorAll("details")) details.open = opened.has(subjectOf(details));
  place.replaceChildren(...plan.childNodes);
}

// What can be opened: the reasons of a setting, or the settings that nothing is done about for one reason.
function subjectOf(details) {
  const subject = details.closest("tr")?.querySelector("th code") ?? details.querySelector("summary");
  return subject.textContent.split(":")[0];
}

export function drawExplanation({ text }) {
  byId("explanation").textContent = text || "There is no plan to explain.";
}

let archive = ""; // the address of the archive that can be downloaded

export function drawArtifacts({ policy, files, archive: packed }) {
  const verdict = files.length
    ? `${files.length} files, those that \`setpoint compile\` writes.`
    : "There are no artifacts while the policy has errors.";
  byId("artifacts-verdict").replaceChildren(...prose(verdict));
  byId("artifacts-files").hidden = !files.length;
  if (!files.length) return;
  const texts = Object.fromEntries(files.map(({ path, text }) => [path, text]));
  const select = byId("file");
  const show = () => (byId("content").textContent = texts[select.value]);
  fill(select, files.map(({ path }) => [path, path]), select.value || "manual-steps.md");
  select.onchange = show;
  show();
  URL.revokeObjectURL(archive);
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  archive = URL.createObjectURL(new Blob([bytes], { type: "application/zip" }));
  Object.assign(byId("download"), { href: archive, download: `${policy}.zip` });
}

// Two policies as `setpoint compare` shows them: a row for each thing that differs, with both values and both reasons.
export function drawDifference({ verdict, parts, sentences }) {
  const place = byId("difference");
  if (verdict) return place.replaceChildren(element("p", {}, ...prose(verdict)));
  const heads = ["", "first", "second"].map((text) => element("th", { scope: "col" }, text));
  const bodies = parts.map(({ title, rows }) => {
    const head = element("th", { scope: "rowgroup", colSpan: 3, className: "layer" }, title);
    return element("tbody", {}, element("tr", {}, head), ...rows.map(sidePair));
  });
  const table = element("table", {}, element("thead", {}, element("tr", {}, ...heads)), ...bodies);
  return place.replaceChildren(table, ...sentences.map((sentence) => element("p", {}, ...prose(sentence))));
}

function sidePair({ name, values, reasons }) {
  const cells = values.map((value, number) => {
    const reason = reasons[number] ? [element("div", { className: "note" }, ...prose(reasons[number]))] : [];
    return element("td", {}, element("strong", {}, value), ...reason);
  });
  return element("tr", {}, element("th", { scope: "row" }, element("code", {}, name)), ...cells);
}

export function drawMatrix({ columns, layers, failed, all }) {
  const heads = ["setting", ...columns].map((text) => element("th", { scope: "col" }, text));
  const bodies = layers.flatMap(({ title, rows }) => {
    const shown = rows.filter((row) => all || row.differs);
    const head = element("tr", {}, element("th", { scope: "rowgroup", colSpan: heads.length, className: "layer" }, title));
    return shown.length ? [element("tbody", {}, head, ...shown.map(matrixRow))] : [];
  });
  const legend = "Bold: another value than under most goals. Grey: not written, as it is the default or comes with a profile.";
  const parts = [element("p", { className: "note" }, legend), element("table", { className: "matrix" }, element("thead", {}, element("tr", {}, ...heads)), ...bodies)];
  parts.push(...failed.map(([value, message]) => element("p", {}, `${value}: `, ...prose(message))));
  byId("table").replaceChildren(...parts);
}

function matrixRow({ setting, title, cells }) {
  const common = mostFrequent(cells.map((cell) => cell?.value ?? ""));
  const shown = cells.map((cell) => {
    if (!cell) return element("td", { className: "left" }, "-");
    const classes = [cell.value === common ? "" : "other", cell.written ? "" : "left"].join(" ").trim();
    return element("td", { className: classes, title: cell.source }, cell.value);
  });
  return element("tr", {}, element("th", { scope: "row", title }, element("code", {}, setting)), ...shown);
}

function mostFrequent(values) {
  const count = (value) => values.filter((each) => each === value).length;
  return values.reduce((best, value) => (count(value) > count(best) ? value : best), values[0]);
}
