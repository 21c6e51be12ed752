/** One search for pages and customers. */
import { Autocomplete } from '@base-ui/react/autocomplete'
import { useNavigate } from '@tanstack/react-router'
import { type LucideIcon, Search as Glass, Users } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { useKeys } from '../app/keys.ts'
import { t } from '../app/texts.ts'
import { Kbd } from '../parts/ui.tsx'
import type { PageLink } from './pages.ts'

/** A page, or the exact search of customers by what was typed. */
type Way = { readonly path: string; readonly name: string; readonly icon: LucideIcon; readonly q?: string }

/** Text that can name a customer: a long number, a mail address or a phone number. */
const namesCustomer = /^\s*(\+[0-9 ().-]{6,}|[0-9]{4,15}|[^\s@]+@[^\s@]+\.[^\s@]+)\s*$/

export function Search({ links }: { readonly links: readonly PageLink[] }): ReactNode {
  const field = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const [text, setText] = useState('')
  useKeys({ '/': { what: t.keys.search, run: () => field.current?.focus() } })
  const mayFind = links.some(({ path }) => path === '/customers') && namesCustomer.test(text)
  const found: Way = { path: '/customers', name: t.nav.searchExact(text.trim()), icon: Users, q: text.trim() }
  const ways: readonly Way[] = mayFind ? [found, ...links] : links
  const open = ({ path, q }: Way): void => {
    setText('')
    field.current?.blur()
    void (q === undefined ? navigate({ to: path }) : navigate({ to: '/customers', search: { q } }))
  }
  return (
    <search className="search">
      <Glass size={15} aria-hidden="true" />
      <Autocomplete.Root
        items={ways as Way[]}
        value={text}
        onValueChange={setText}
        itemToStringValue={({ name }) => name}
        autoHighlight
        modal={false}
      >
        <Autocomplete.Input
          ref={field}
          aria-label={t.nav.search}
          placeholder={t.nav.searchHint}
          onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
        />
        <Autocomplete.Portal>
          <Autocomplete.Positioner sideOffset={4} style={{ zIndex: 30 }}>
            <Autocomplete.Popup className="popup">
              <Autocomplete.List>
                {(link: Way) => (
                  <Autocomplete.Item key={link.path + (link.q ?? '')} value={link} className="option" onClick={() => open(link)}>
                    <link.icon size={15} aria-hidden="true" />
                    {link.name}
                  </Autocomplete.Item>
                )}
              </Autocomplete.List>
            </Autocomplete.Popup>
          </Autocomplete.Positioner>
        </Autocomplete.Portal>
      </Autocomplete.Root>
      <Kbd>/</Kbd>
    </search>
  )
}
