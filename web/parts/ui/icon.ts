import { createElement, type ReactElement, type SVGProps } from 'react'

type Icon = { readonly node: readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[] }
type Props = SVGProps<SVGSVGElement> & { readonly size?: number }

/**
 * Replaces lucide's function of this name (`build/icons.ts`): it draws lucide's shapes with the four props that this app uses. Lucide's
 * own function adds contexts, aliases and other frameworks' attribute names to every first load. Icons are decoration; the element
 * around an icon has the label.
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
