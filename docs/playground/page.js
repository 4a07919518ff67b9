// The page: what is typed goes to the compiler, and its answers are drawn. The state is in the address at any time.

import { read, written } from "./address.js";
import { Compiler, TookTooLong } from "./compiler.js";
import { byId, element, fill } from "./dom.js";
import { Editor } from "./editor.js";
import { EXAMPLES } from "./examples.js";
import { markFindings, showFindings } from "./findings.js";
import * as unfinished from "./unfinished.js";
import { drawArtifacts, drawDifference, drawExplanation, drawMatrix, drawPlan } from "./views.js";

const PAUSE = 150; // milliseconds without a key before the compiler is asked
const INCLUDE = 'include "knowledge.tune";';
const VIEWS = ["plan", "explain", "artifacts", "compare", "matrix"];
const GOAL = "goal"; // the fact that is the columns of the matrix
const PLATFORM = "platform"; // the fact that is chosen for it

const policy = new Editor(byId("policy"), "Policy", changed, (before) => propose({ files: files(), before }));
const knowledge = new Editor(byId("knowledge"), "Knowledge", changed);
const other = new Editor(byId("other"), "Second policy", changed, (before) => propose({ files: { ...files(), "policy.tune": other.text }, before }));
const tabs = VIEWS.map((view) => byId(`tab-${view}`));

const showProgress = (text) => (byId("status").textContent = text);
const say = (text) => (byId("notice").textContent = text); // until the next change
const compiler = new Compiler(new URL("worker.js", import.meta.url), showProgress, showProgress);

let view = "plan";
let platform = "";
let shownAddress = "";

// ------------------------------------------------------------------------------------------ the state

const hasKnowledge = () => !byId("knowledge-part").hidden;

function files() {
  return { "policy.tune": policy.text, ...(hasKnowledge() ? { "knowledge.tune": knowledge.text } : {}) };
}

async function keepInAddress() {
  const state = { policy: policy.text, other: other.text, view: view === "plan" ? "" : view, platform };
  const hash = await written({ ...state, knowledge: hasKnowledge() ? knowledge.text : "" });
  if (hash === location.hash) return;
  shownAddress = hash;
  history.replaceState(null, "", hash);
}

// Put the state of the address into the page; with none, the first example.
async function open() {
  let state = null;
  let message = "";
  try {
    state = await read(location.hash);
  } catch (error) {
    message = `${error.message} This is an example.`;
  }
  say(message);
  state ??= policy.text && !message ? null : EXAMPLES[0];
  if (state === null) return;
  policy.open(state.policy ?? "");
  other.open(state.other ?? "");
  knowledge.open(state.knowledge ?? "");
  byId("knowledge-part").hidden = !state.knowledge;
  byId("add-knowledge").hidden = !!state.knowledge;
  platform = state.platform ?? "";
  choose(VIEWS.includes(state.view) ? state.view : "plan");
}

// ---------------------------------------------------------------------------------------- the answers

let timer = 0;
let isAsking = false;
let isStale = false;
let underWay = 0; // questions

// Ask again soon, once for all changes until then.
function changed() {
  say("");
  clearTimeout(timer);
  timer = setTimeout(update, PAUSE);
}

// Ask for what is shown. One question is under way at a time; what changes meanwhile is asked afterwards.
async function update() {
  clearTimeout(timer);
  isStale = true;
  if (isAsking) return;
  isAsking = true;
  try {
    while (isStale) {
      isStale = false;
      await keepInAddress();
      if (wasEnded()) askBeforeAgain("There was no answer to this the last time.");
      else await draw();
    }
  } catch (error) {
    if (error instanceof TookTooLong) askBeforeAgain(error.message);
    else say(`The compiler failed, which is a defect: ${error.message}`);
  } finally {
    isAsking = false;
  }
}

// All that is typed. While it is worked on it is remembered as unfinished, also beyond a reload; what was ended so is not asked by itself again.
const wasEnded = () => !underWay && unfinished.is(texts());
const texts = () => JSON.stringify([policy.text, other.text, hasKnowledge() ? knowledge.text : "", platform]);

async function ask(request) {
  const asked = texts();
  underWay += 1;
  try {
    const answer = await compiler.ask(request, () => unfinished.begin(asked));
    unfinished.end();
    return answer;
  } finally {
    underWay -= 1;
  }
}

function askBeforeAgain(why) {
  const again = element("button", { type: "button", id: "again" }, "Try again");
  again.addEventListener("click", () => {
    unfinished.end();
    changed();
  });
  byId("notice").replaceChildren(`${why} `, again);
}

async function draw() {
  const started = performance.now();
  const asked = { files: files(), plan: byId("plans").value };
  const answer = await ask({ ask: "plans", ...asked });
  byId("tally").textContent = answer.tally;
  const editors = { "policy.tune": policy, "knowledge.tune": knowledge };
  markFindings(answer.findings, editors, apply);
  ifNew("findings", answer.findings, (found) => showFindings(byId("findings"), found, editors, apply));
  fill(byId("plans"), answer.plans.map((name) => [name, name]), answer.plan);
  byId("which").hidden = answer.plans.length < 2 || view === "matrix";
  fill(byId("setting"), answer.settings.map((name) => [name, name]));
  if (view === "plan") ifNew("plan", answer.html, drawPlan);
  performance.measure("answer", { start: started });
  if (view !== "plan") await DRAWN[view]({ ...asked, plan: answer.plan }, answer);
}

// The words that can stand behind the text `before` of a policy; null if they cannot be had.
async function propose(asked) {
  if (wasEnded()) return null;
  return ask({ ask: "complete", ...asked }).catch(() => null);
}

const DRAWN = {
  async explain(asked) {
    const answer = await ask({ ask: "explain", name: byId("setting").value, ...asked });
    ifNew("explain", answer, drawExplanation);
  },
  async artifacts(asked) {
    const answer = await ask({ ask: "artifacts", ...asked });
    ifNew("artifacts", answer, (found) => {
      showFindings(byId("artifacts-findings"), found.findings, {}, apply);
      drawArtifacts(found);
    });
  },
  async compare(asked) {
    const answer = await ask({ ask: "compare", other: other.text, ...asked });
    const editors = { "policy.tune": other, "knowledge.tune": knowledge };
    markFindings(answer.findings, { "policy.tune": other }, applyToOther);
    ifNew("compare", answer, (found) => {
      showFindings(byId("other-findings"), found.findings, editors, applyToOther);
      drawDifference(found);
    });
  },
  async matrix(asked, { facts }) {
    const select = byId("platform");
    if (!select.options.length) {
      const { values } = await ask({ ask: "values", name: PLATFORM });
      const text = ({ title, depth }) => `${"\u2003".repeat(depth)}${title}`;
      fill(select, values.map((value) => [value.name, text(value)]), platform || facts[PLATFORM]);
    }
    platform = select.value;
    await keepInAddress();
    const answer = await ask({ ask: "matrix", name: GOAL, facts: { [PLATFORM]: platform }, ...asked });
    ifNew("matrix", { ...answer, all: byId("all").checked }, drawMatrix);
  },
};

const drawn = new Map();

// Draw an answer unless it is what is shown: a button that somebody is about to press stays.
function ifNew(name, answer, drawing) {
  const text = JSON.stringify(answer);
  if (drawn.get(name) === text) return;
  drawn.set(name, text);
  drawing(answer);
}

// ---------------------------------------------------------------------------------------- the changes

function apply(texts) {
  if ("knowledge.tune" in texts) knowledge.replace(texts["knowledge.tune"]);
  if ("policy.tune" in texts) {
    policy.replace(texts["policy.tune"]);
    policy.focus();
    policy.askForReason();
  }
  update();
}

function applyToOther(texts) {
  other.replace(texts["policy.tune"] ?? other.text);
  other.focus();
  other.askForReason();
  update();
}

function addKnowledge(text) {
  byId("knowledge-part").hidden = false;
  byId("add-knowledge").hidden = true;
  knowledge.open(text);
  if (!policy.text.includes(INCLUDE)) policy.replace(`${INCLUDE}\n${policy.text}`);
  knowledge.select(0);
  update();
}

function removeKnowledge() {
  byId("knowledge-part").hidden = true;
  byId("add-knowledge").hidden = false;
  knowledge.open("");
  policy.replace(policy.text.replace(`${INCLUDE}\n`, "").replace(INCLUDE, ""));
  update();
}

function choose(chosen) {
  view = chosen;
  VIEWS.forEach((name, number) => {
    byId(name).hidden = name !== view;
    tabs[number].setAttribute("aria-selected", String(name === view));
    tabs[number].tabIndex = name === view ? 0 : -1;
  });
  update();
}

function copyPolicy() {
  other.replace(policy.text);
  other.focus();
  update();
}

async function copyLink() {
  await keepInAddress();
  try {
    await navigator.clipboard.writeText(location.href);
    say("The link is copied.");
  } catch {
    say("The link is in the address bar; your browser does not let this page copy it.");
  }
}

// ------------------------------------------------------------------------------------------- the start

// The arrow keys go from tab to tab, as the pattern for tabs has it.
byId("tab-plan").parentElement.addEventListener("keydown", (event) => {
  const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -VIEWS.length, End: VIEWS.length };
  if (!(event.key in steps)) return;
  const here = VIEWS.indexOf(view);
  const there = { Home: 0, End: VIEWS.length - 1 }[event.key] ?? (here + steps[event.key] + VIEWS.length) % VIEWS.length;
  event.preventDefault();
  choose(VIEWS[there]);
  tabs[there].focus();
});
VIEWS.forEach((name, number) => tabs[number].addEventListener("click", () => choose(name)));
for (const id of ["plans", "setting", "platform", "all"]) byId(id).addEventListener("change", update);
byId("copy").addEventListener("click", copyLink);
byId("copy-policy").addEventListener("click", copyPolicy);
byId("add-knowledge").addEventListener("click", () => addKnowledge(EXAMPLES.find((each) => each.knowledge).knowledge));
byId("remove-knowledge").addEventListener("click", removeKnowledge);
byId("knowledge-file").addEventListener("change", async ({ target }) => {
  if (target.files.length) addKnowledge(await target.files[0].text());
  target.value = "";
});
byId("example").append(...EXAMPLES.map((each, number) => element("option", { value: number }, each.title)));
byId("example").addEventListener("change", ({ target }) => {
  const example = EXAMPLES[target.value];
  if (!example) return;
  if (example.other) other.replace(example.other);
  policy.replace(example.policy);
  if (example.knowledge) addKnowledge(example.knowledge);
  else if (hasKnowledge()) removeKnowledge();
  choose(example.view ?? "plan");
});
window.addEventListener("hashchange", () => location.hash === shownAddress || open());
open();
