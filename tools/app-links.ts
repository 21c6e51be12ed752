/**
 * Links of the phone app. Each path is a route; each name in its query is read by the screen, and each fixed value is known there. A
 * link that is called *history* leads to a tab of past things. The console's links are checked by the types of its router.
 */
import { dirname, join, normalize } from 'node:path'
import {
  isCallExpression,
  isJsxAttribute,
  isJsxElement,
  isJsxText,
  isNoSubstitutionTemplateLiteral,
  isStringLiteral,
  isTemplateExpression,
  type Node,
} from 'typescript/unstable/ast'
import { files, text } from './tidy/files.ts'
import { isTest } from './tidy/layers.ts'
import { eachTree } from './tidy/parse.ts'

const zone = /^web\/(app|parts|screens|shell)\/.*\.tsx?$/
/** Attributes and functions that take a path of the app. An `href` takes one after `#`; without it, a page outside the app. */
const attributes: ReadonlySet<string> = new Set(['to', 'fallback', 'next', 'history'])
const functions: ReadonlySet<string> = new Set(['navigate', 'back'])
/** `\0` stands for a part that is only known when the app runs. */
const hole = '\0'
const pathPattern = /^#?(\/[A-Za-z]*)(?:\?(.*))?$/s

/** `isLink`: written where only a path can be. `isHistory`: called by the word for past things. */
export type Link = { readonly file: string; readonly to: string; readonly isLink: boolean; readonly isHistory: boolean }

type Routes = ReadonlyMap<string, string>

/** One sentence for each link that leads nowhere, or to a screen that does not read it. */
export function linkFaults(): readonly string[] {
  const sources = new Map(
    files(zone)
      .filter((path) => !isTest(path))
      .map((path) => [path, text(path)]),
  )
  const links = [...eachTree(sources, linksIn).values()].flat()
  const routes = routesIn(sources.get('web/app/routes.ts') ?? '')
  const known = new Map([...routes.values()].map((folder) => [folder, sourceOf(folder, sources)]))
  return links.flatMap((link) => faultsOf(link, routes, (folder) => known.get(folder) ?? ''))
}

/** The folder of the screen of each path. A path that leads to another one has the folder of that. */
export function routesIn(source: string): Routes {
  const folders = new Map([...source.matchAll(/^ {2}'(\/[A-Za-z]*)': '([a-z-]+)',$/gm)].map(([, path = '', folder = '']) => [path, folder]))
  for (const [, path = '', to = ''] of source.matchAll(/'(\/[A-Za-z]*)': '(\/[A-Za-z]+)'/g)) folders.set(path, folders.get(to) ?? '')
  return folders
}

export function linksIn(tree: Node, file: string): readonly Link[] {
  const links: Link[] = []
  const visit = (node: Node, isLink: boolean, isHistory: boolean): void => {
    const to = textOf(node)
    if (to !== undefined && pathPattern.test(to)) links.push({ file, to, isLink: isLink || to.startsWith('#'), isHistory })
    const inLink = isJsxAttribute(node)
      ? attributes.has(node.name.getText())
      : isCallExpression(node)
        ? functions.has(node.expression.getText())
        : isLink
    const named = isJsxElement(node) ? saysHistory(node) : isJsxAttribute(node) ? isHistory || node.name.getText() === 'history' : isHistory
    node.forEachChild((child) => visit(child, inLink, named))
  }
  visit(tree, false, false)
  return links
}

/** `codeOf`: the sources of a screen with what they import. */
export function faultsOf({ file, to, isLink, isHistory }: Link, routes: Routes, codeOf: (folder: string) => string): readonly string[] {
  const [, path = '', query = ''] = pathPattern.exec(to) ?? []
  const shown = to.replaceAll(hole, '…')
  const folder = routes.get(path)
  if (folder === undefined) return isLink && path !== '' ? [`${file}: no screen has the path of ${shown}`] : []
  const code = codeOf(folder)
  const faults: string[] = []
  if (isHistory && !/(^|&)tab=(history|closed)\b/.test(query)) faults.push(`${file}: ${shown} is called history and opens another tab`)
  for (const part of query.split('&')) {
    const [, name, value = ''] = /^([a-z]+)=(.*)$/s.exec(part) ?? []
    if (name === undefined) continue
    // The path after a login is read by one function for all screens.
    if (name === 'next' ? !code.includes('nextOf(') : !new RegExp(`(\\.(get|has)|useChosen)\\('${name}'\\)`).test(code))
      faults.push(`${file}: the screen of ${shown} does not read ${name}`)
    else if (/^[a-z][a-z-]*$/.test(value) && !code.includes(`'${value}'`))
      faults.push(`${file}: the screen of ${shown} does not know ${value}`)
  }
  return faults
}

/** The text of a literal, with a hole for each part that is computed. */
function textOf(node: Node): string | undefined {
  if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) return node.text
  if (!isTemplateExpression(node)) return undefined
  return node.head.text + node.templateSpans.map((span) => hole + span.literal.text).join('')
}

/** Whether an element consists of the word for past orders alone. */
function saysHistory(node: Node & { readonly children?: readonly Node[] }): boolean {
  const said = (node.children ?? []).filter((child) => !isJsxText(child) || child.getText().trim() !== '')
  return said.length === 1 && /^\{\s*t\('orders\.history'\)\s*\}$/.test(said[0]!.getText())
}

/** The sources of a screen, and the ones that they import. */
function sourceOf(folder: string, sources: ReadonlyMap<string, string>): string {
  const own = [...sources].filter(([path]) => path.startsWith(`web/screens/${folder}/`))
  const imported = own.flatMap(([path, source]) =>
    [...source.matchAll(/from '([^']+)'|import\('([^']+)'\)/g)].map(([, from, lazy]) => fileOf(path, from ?? lazy ?? '')),
  )
  return [...own.map(([, source]) => source), ...[...new Set(imported)].map((path) => sources.get(path) ?? coreText(path))].join('\n')
}

function fileOf(from: string, specifier: string): string {
  if (specifier.startsWith('@candor/')) return specifier.slice('@candor/'.length)
  return specifier.startsWith('.') ? normalize(join(dirname(from), specifier)) : ''
}

const coreText = (path: string): string => (/^(core|client)\/.*\.ts$/.test(path) ? text(path) : '')
