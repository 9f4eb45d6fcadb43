// Lines that the judge itself is tried on: a schema, a line, and whether it is the right one.

const of = (schema) => ({ type: 'object', properties: { a: schema }, required: ['a'] });
const line = (type) => `f(a: ${type})  [global]`;
const nullable = { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] };
const two = { properties: { a: {}, b: { type: 'string', default: 'x, y: (' } }, required: ['b'] };
const long = 'x'.repeat(60);

export const CASES = [
  [of({ type: 'string' }), line('string'), true],
  [of({ type: 'string' }), line('any'), false],
  [of({ type: 'string' }), line('integer'), false],
  [of({}), line('any'), true],
  [of({ enum: ['a', 'b c'] }), line('a|"b c"'), true],
  [of({ enum: ['a'] }), line('any'), false],
  [of({ enum: [`${long} `] }), line(`"${long.slice(0, 38)}…`), true],
  [of({ const: 1 }), line('any'), false],
  [of({ $ref: '#/$defs/T' }), line('T'), true],
  [of({ $ref: '#/$defs/T' }), line('any'), false],
  [of(nullable), line('string[]|null'), true],
  [of(nullable), line('any[]|null'), false],
  [of(nullable), line('any|null'), false],
  [of({ type: 'array', items: { enum: ['a', 'b'] } }), line('(a|b)[]'), true],
  [of({ type: 'array', items: { enum: ['a', 'b'] } }), line('any[]'), false],
  [of({ type: 'array' }), line('any[]'), true],
  [of({ items: { type: 'string' } }), line('any'), false],
  [of({ properties: { b: {} } }), line('any'), false],
  [two, 'f(b: string = "x, y: (", a?: any)  [global]', true],
  [two, 'f(b: string = "x, y: (", …)  [global]', true],
  [two, 'f(b: string = "x, y: (")  [global]', false],
  [two, 'f(a?: any, b: string = "x, y: (")  [global]', false],
  [two, 'f(b?: string = "x, y: (", a?: any)  [global]', false],
  [two, 'f(...)  [global]', false],
  [{ type: 'object' }, 'f(...)  [global]', true],
  [{ additionalProperties: false }, 'f()  [global]', true],
  [{ additionalProperties: false }, 'f(...)  [global]', false],
  [of({ type: 'string' }), 'f(a: string)\n  [global]', false],
  [of({ default: { long } }), `f(a: any = {"long":"${'x'.repeat(30)}…)  [global]`, true],
  [of({ enum: [long.repeat(9)] }), line(long.repeat(9)), false],
];
