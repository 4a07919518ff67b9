// Policies to start from. The first is what a page without an address shows.

export const EXAMPLES = [
  {
    title: "Low latency",
    policy: `goal latency;
platform r750;
os rhel 9;
`,
  },
  {
    title: "A conflict, and its repairs",
    policy: `goal efficiency;
cpu westmere;
set turbo on because "deadline";
`,
  },
  {
    title: "Two goals compared",
    policy: `goal latency;
platform r740;
workload hpc;
`,
    other: `goal efficiency;
platform r740;
workload hpc;
`,
    view: "compare",
  },
  {
    title: "Knowledge of your own",
    policy: `include "knowledge.tune";
goal performance;
cpu skylake;
workload fluent;
`,
    knowledge: `source lab-results {
    title      "Fluent on our own cluster";
    publisher  "HPC lab";
}

rule smt-for-truck-poly of lab-results at "LAB-31" {
    when cpu skylake, workload fluent, goal performance;
    use smt on;
    strength measured;
    because "7% more runs a day on truck-poly";
}
`,
  },
];
