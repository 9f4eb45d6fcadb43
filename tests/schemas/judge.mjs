// What a signature must be for its schema, written from the contract and not from the renderer: an
// oracle that shared its code would share its faults.

const MOST = 400;
const MOST_OF_A_LITERAL = 40;
const SCALARS = ['string', 'number', 'integer', 'boolean', 'null'];
// Whatever could break the line or turn it around on a screen.
const BREAKS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** What is wrong with the line; empty when nothing is. */
export function faults(id, schema, line) {
  const wrong = [];
  if (typeof line !== 'string') return ['there is no signature'];
  if (line.length > MOST) wrong.push(`${line.length} characters`);
  if (BREAKS.test(line)) wrong.push('a control character');
  const tail = ')  [global]';
  if (!line.startsWith(`${id}(`) || !line.endsWith(tail)) return [...wrong, 'not the shape of a signature'];
  const expected = parameters(schema);
  const text = line.slice(id.length + 1, -tail.length);
  if (text === '...') {
    const open = expected.length === 0 && schema.additionalProperties !== false;
    return open ? wrong : [...wrong, 'open, and the schema is not'];
  }
  let shown;
  try {
    shown = read(text);
  } catch (error) {
    return [...wrong, `unreadable: ${error.message}`];
  }
  if (!shown.cut && shown.parameters.length !== expected.length) wrong.push('parameters are missing');
  shown.parameters.forEach((parameter, at) => {
    const { name, optional, schema: declared } = expected[at] ?? {};
    if (parameter.name !== name || parameter.optional !== optional) {
      wrong.push(`${JSON.stringify(parameter.name)} where ${JSON.stringify(name)} should be`);
    } else {
      const problem = typeFault(declared, parameter.type);
      if (problem) wrong.push(`${name}: ${parameter.type}: ${problem}`);
    }
  });
  return wrong;
}

/** The parameters in the order of a signature: required ones first. */
function parameters(schema) {
  const required = schema.required ?? [];
  const declared = Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    schema: property,
    optional: !required.includes(name),
  }));
  const undeclared = required
    .filter((name) => !declared.some((parameter) => parameter.name === name))
    .map((name) => ({ name, schema: true, optional: false }));
  return [
    ...declared.filter((parameter) => !parameter.optional),
    ...undeclared,
    ...declared.filter((parameter) => parameter.optional),
  ];
}

function typeFault(schema, type) {
  const exact = plain(schema);
  if (exact && type !== exact) return `should be ${exact}`;
  if (says(schema) && type === 'any') return 'says less than the schema';
  for (const alternative of alternatives(type)) {
    if (alternative === 'any' && !silentSomewhere(schema)) return 'an alternative says less than the schema';
    if (alternative === 'any[]' && !silentElement(schema)) return 'the elements say less than the schema';
  }
  return undefined;
}

/** The one word, or the list of it, of a schema that is nothing else; none when it is. */
function plain(schema) {
  const others = ['$ref', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', 'nullable'];
  if (!isObject(schema) || others.some((keyword) => keyword in schema)) return undefined;
  if (SCALARS.includes(schema.type)) return schema.type;
  const lists = schema.type === 'array' && !('prefixItems' in schema);
  const element = lists ? plain(schema.items) : undefined;
  return element && `${element}[]`;
}

/** Whether the schema says more than that anything will do. */
function says(schema) {
  if (schema === false) return true;
  if (!isObject(schema)) return false;
  const types = [schema.type].flat();
  return (
    typeof schema.$ref === 'string' ||
    'const' in schema ||
    Array.isArray(schema.enum) ||
    types.some((type) => [...SCALARS, 'object', 'array'].includes(type)) ||
    isObject(schema.items) ||
    Array.isArray(schema.prefixItems) ||
    Object.keys(schema.properties ?? {}).length > 0 ||
    branches(schema).some(says)
  );
}

/** What the schema is one of. A value meets all of `allOf`, and no notation says so: it counts where
 * a single branch says anything, and where several do nothing is asked of it. */
function branches(schema) {
  const all = (schema.allOf ?? []).filter(says);
  return [schema.anyOf ?? [], schema.oneOf ?? [], all.length === 1 ? all : []].flat();
}

/** Whether an alternative of the schema admits anything. */
function silentSomewhere(schema) {
  return !says(schema) || branches(schema).some(silentSomewhere);
}

/** Whether the schema has a list, anywhere in its alternatives, of which the elements are free. */
function silentElement(schema) {
  if (!isObject(schema)) return false;
  const lists = [schema.type].flat().includes('array');
  const elements = [schema.items ?? [], schema.prefixItems ?? []].flat();
  const free = elements.length === 0 || elements.some(silentSomewhere);
  return (lists && free) || branches(schema).some(silentElement);
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The parameters as the line shows them. */
function read(text) {
  const found = [];
  let at = 0;
  while (at < text.length) {
    if (found.length > 0) {
      if (!text.startsWith(', ', at)) throw new Error(`no separator at ${text.slice(at)}`);
      at += 2;
    }
    if (text.slice(at) === '…') return { parameters: found, cut: true };
    let name;
    if (text[at] === '"') {
      const end = quoted(text, at, Infinity);
      name = JSON.parse(text.slice(at, end));
      at = end;
    } else {
      name = /^[^?:]+/.exec(text.slice(at))?.[0] ?? '';
      at += name.length;
    }
    const mark = /^\??: /.exec(text.slice(at))?.[0];
    if (!mark) throw new Error(`no type at ${text.slice(at)}`);
    at += mark.length;
    const end = typeEnd(text, at);
    const type = text.slice(at, end);
    at = text.startsWith(' = ', end) ? literalEnd(text, end + 3) : end;
    found.push({ name, optional: mark.startsWith('?'), type });
  }
  return { parameters: found, cut: false };
}

/** Where a type ends: before a default or the next parameter. */
function typeEnd(text, from) {
  let at = from;
  while (at < text.length && !text.startsWith(', ', at) && !text.startsWith(' = ', at)) {
    at = text[at] === '"' ? quoted(text, at, MOST_OF_A_LITERAL) : at + 1;
  }
  return at;
}

/** Where a text in quotes ends; one that was cut ends in `…` and has no closing quote. */
function quoted(text, from, most) {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
    if (at + 1 - from >= most) return from + text.slice(from, from + most).lastIndexOf('…') + 1;
  }
  throw new Error('a quote is not closed');
}

/** Where a default ends: a JSON value, or the first forty characters of one. */
function literalEnd(text, from) {
  let depth = 0;
  for (let at = from; at < text.length; ) {
    if (depth === 0 && text.startsWith(', ', at)) return at;
    if (at - from >= MOST_OF_A_LITERAL) break;
    if (text[at] === '"') {
      const end = /^"(?:[^"\\]|\\.)*"/.exec(text.slice(at))?.[0].length ?? Infinity;
      if (at + end - from > MOST_OF_A_LITERAL) break;
      at += end;
      continue;
    }
    if ('[{'.includes(text[at])) depth += 1;
    if (']}'.includes(text[at])) depth -= 1;
    at += 1;
  }
  const cut = text.slice(from, from + MOST_OF_A_LITERAL).lastIndexOf('…');
  return cut < 0 ? text.length : from + cut + 1;
}

/** The alternatives at the top of a type. */
function alternatives(type) {
  const found = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < type.length; ) {
    if (type[at] === '"') {
      at = quoted(type, at, MOST_OF_A_LITERAL);
      continue;
    }
    if ('({'.includes(type[at])) depth += 1;
    if (')}'.includes(type[at])) depth -= 1;
    if (type[at] === '|' && depth === 0) {
      found.push(type.slice(start, at));
      start = at + 1;
    }
    at += 1;
  }
  return [...found, type.slice(start)];
}
