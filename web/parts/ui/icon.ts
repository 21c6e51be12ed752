import { createElement, type ReactElement, type SVGProps } from 'react'

type Icon = { readonly node: readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[] }
type Props = SVGProps<SVGSVGElement> & { readonly size?: number }

/**
 * Stands in for lucide's function of this name (`build/icons.ts`): icons are drawn from lucide's shapes with the four props that
 * this app gives them. Lucide's own also carries contexts, aliases and other frameworks' names of attributes into every
 * first load. An icon is decoration, whatever it stands in has the name.
 */
export default function createLucideIcon({ node }: Icon): (props: Props) => ReactElement {
  const shapes = node.map(([tag, attributes]) => createElement(tag, attributes))
  return ({ size = 24, ...rest }) =>
    createElement(
      'svg',
      {
        width: size,
        height: size,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        'aria-hidden': true,
        ...rest,
      },
      shapes,
    )
}
