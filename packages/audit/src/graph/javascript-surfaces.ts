import { type CallExpression, type Expression, type Node, type Program, Visitor } from 'oxc-parser'

import type { FileSurface, ImportReference } from './facts.ts'

const routeMethods = new Set([
  'all',
  'delete',
  'get',
  'head',
  'options',
  'patch',
  'post',
  'put',
  'use',
])
/** What routers are called; `cache.get('/x', y)` is no route. */
const routerName = /(?:app|router|routes?|server|api|fastify|hono)$/i
const routeDecorators = new Set(['All', 'Delete', 'Get', 'Head', 'Options', 'Patch', 'Post', 'Put'])
const decoratorFramework = '@nestjs/common'
const commandFrameworks = new Set([
  '@commander-js/extra-typings',
  'cac',
  'commander',
  'sade',
  'yargs',
])

const hint =
  /\.(?:all|delete|get|head|options|patch|post|put|use)\(\s*["'`]\/|\.route\(\s*\{|\.command\(|@(?:All|Delete|Get|Head|Options|Patch|Post|Put)\(/

/** Whether it is worth to build the syntax tree of this text; most files say no. */
export function mayHoldSurface(text: string): boolean {
  return hint.test(text)
}

/** HTTP routes and commands that a program registers by the usual calls and decorators. */
export function listSurfaces(
  program: Program,
  imports: readonly ImportReference[],
  lineAt: (offset: number) => number,
): FileSurface[] {
  const modules = new Set(imports.map((reference) => reference.specifier))
  const usesDecorators = modules.has(decoratorFramework)
  const usesCommands = [...modules].some((module) => commandFrameworks.has(module))
  const surfaces: FileSurface[] = []
  const add = (kind: FileSurface['kind'], name: string | undefined, node: Node): void => {
    if (name !== undefined) surfaces.push({ kind, name, line: lineAt(node.start) })
  }
  new Visitor({
    CallExpression(node) {
      add('http_route', nameRoute(node), node)
      if (usesCommands) add('cli_command', nameCommand(node), node)
    },
    Decorator(node) {
      if (usesDecorators) add('http_route', nameDecoratedRoute(node.expression), node)
    },
  }).visit(program)
  return surfaces
}

/** `app.get('/users', handler)` -> `GET /users`. */
function nameRoute(call: CallExpression): string | undefined {
  const method = readMethod(call)
  const [first] = call.arguments
  if (method === undefined || first === undefined) return undefined
  if (method === 'route')
    return first.type === 'ObjectExpression' ? nameRouteObject(first) : undefined
  const path = readText(first)
  const isRoute = routeMethods.has(method) && call.arguments.length > 1 && path?.startsWith('/')
  return isRoute && isRouter(call) ? `${method.toUpperCase()} ${path}` : undefined
}

/** `fastify.route({ method: 'GET', url: '/users', handler })`. */
function nameRouteObject(
  object: Extract<Expression, { type: 'ObjectExpression' }>,
): string | undefined {
  const values = new Map<string, Node>()
  for (const property of object.properties) {
    if (property.type === 'Property' && property.key.type === 'Identifier') {
      values.set(property.key.name, property.value)
    }
  }
  const path = readText(values.get('url') ?? values.get('path'))
  if (path === undefined || !values.has('handler')) return undefined
  return `${(readText(values.get('method')) ?? 'any').toUpperCase()} ${path}`
}

function nameCommand(call: CallExpression): string | undefined {
  return readMethod(call) === 'command' ? readText(call.arguments[0]) : undefined
}

function nameDecoratedRoute(expression: Expression): string | undefined {
  if (expression.type !== 'CallExpression' || expression.callee.type !== 'Identifier')
    return undefined
  const { name } = expression.callee
  if (!routeDecorators.has(name)) return undefined
  return `${name.toUpperCase()} ${readText(expression.arguments[0]) ?? ''}`.trimEnd()
}

function readMethod({ callee }: CallExpression): string | undefined {
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return undefined
  return callee.computed ? undefined : callee.property.name
}

/** Whether the call is on something that is called a router, or chained to such a call. */
function isRouter({ callee }: CallExpression): boolean {
  let target: Node = callee
  while (target.type === 'MemberExpression' || target.type === 'CallExpression') {
    if (target.type === 'MemberExpression' && target !== callee) {
      if (target.property.type === 'Identifier' && routerName.test(target.property.name))
        return true
    }
    target = target.type === 'MemberExpression' ? target.object : target.callee
  }
  return target.type === 'Identifier' && routerName.test(target.name)
}

function readText(node: Node | undefined): string | undefined {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  if (node?.type !== 'TemplateLiteral' || node.expressions.length > 0) return undefined
  return node.quasis[0]?.value.cooked ?? undefined
}
