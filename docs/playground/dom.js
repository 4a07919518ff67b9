// Elements made from texts. A text becomes a text node and never markup, whoever wrote it.

export const byId = (id) => document.getElementById(id);

// An element with properties and children: elements, or texts.
export function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

// A message; names in backticks are code.
export function prose(text) {
  return text.split("`").map((part, number) => (number % 2 ? element("code", {}, part) : part));
}

// The options of a select, given as [value, text]; the chosen value stays if it is still there.
export function fill(select, options, chosen = select.value) {
  const same = select.options.length === options.length && options.every(([value], n) => select.options[n].value === value);
  if (!same) select.replaceChildren(...options.map(([value, text]) => element("option", { value }, text)));
  select.value = options.some(([value]) => value === chosen) ? chosen : (options[0]?.[0] ?? "");
}
