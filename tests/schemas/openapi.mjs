// The operations of an OpenAPI 2 or 3 document, each as one schema of its arguments, the way a
// bridge to MCP makes one: the parameters by name, and the fields of a JSON body beside them.

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'];
// What says how a parameter travels, not what it is.
const TRAVEL = ['name', 'in', 'required', 'style', 'explode', 'allowReserved', 'collectionFormat', 'schema', 'content'];

/** The { name, schema } of each operation. */
export function operations(document) {
  const found = [];
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const method of METHODS) {
      const operation = item[method];
      if (!operation) continue;
      found.push({
        name: operation.operationId ?? `${method} ${path}`,
        schema: argumentsOf(document, item, operation),
      });
    }
  }
  return found;
}

function argumentsOf(document, item, operation) {
  const properties = {};
  const required = [];
  const add = (name, schema, needed) => {
    // A path's parameter is said again by an operation that narrows it.
    properties[name] = schema;
    if (needed && !required.includes(name)) required.push(name);
  };
  for (const entry of [...(item.parameters ?? []), ...(operation.parameters ?? [])]) {
    const parameter = resolved(document, entry);
    if (typeof parameter.name !== 'string') continue;
    if (parameter.in === 'body') {
      addBody(document, parameter.schema, parameter.required, properties, add);
    } else {
      add(parameter.name, schemaOf(parameter), parameter.required);
    }
  }
  const body = resolved(document, operation.requestBody ?? {});
  const content = Object.values(body.content ?? {})[0];
  if (content?.schema) addBody(document, content.schema, body.required, properties, add);
  const schema = { type: 'object', properties, additionalProperties: false };
  return required.length > 0 ? { ...schema, required } : schema;
}

/** In version 3 a parameter has a schema; in version 2 it is one. */
function schemaOf(parameter) {
  const content = Object.values(parameter.content ?? {})[0];
  const schema = parameter.schema ?? content?.schema;
  if (schema !== undefined) return schema;
  return Object.fromEntries(Object.entries(parameter).filter(([name]) => !TRAVEL.includes(name)));
}

function addBody(document, declared, needed, properties, add) {
  const schema = resolved(document, declared ?? {});
  const fields = Object.entries(schema.properties ?? {});
  if (fields.length === 0 || fields.some(([name]) => name in properties)) {
    add('body', declared, needed);
    return;
  }
  for (const [name, field] of fields) {
    add(name, field, needed && (schema.required ?? []).includes(name));
  }
}

/** What a reference inside the document names. References inside schemas stay: they are names. */
function resolved(document, value) {
  let found = value;
  for (let hops = 0; typeof found?.$ref === 'string' && hops < 16; hops += 1) {
    if (!found.$ref.startsWith('#/')) return {};
    const steps = found.$ref.slice(2).split('/');
    found = steps.reduce(
      (place, step) => place?.[decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')],
      document,
    );
  }
  return found ?? {};
}
