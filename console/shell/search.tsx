/** One search for pages. */
import { Autocomplete } from '@base-ui/react/autocomplete'
import { useNavigate } from '@tanstack/react-router'
import { Search as Glass } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { useKeys } from '../app/keys.ts'
import { t } from '../app/texts.ts'
import { Kbd } from '../parts/ui.tsx'
import type { PageLink } from './pages.ts'

export function Search({ links }: { readonly links: readonly PageLink[] }): ReactNode {
  const field = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const [text, setText] = useState('')
  useKeys({ '/': { what: t.keys.search, run: () => field.current?.focus() } })
  const open = ({ path }: PageLink): void => {
    setText('')
    field.current?.blur()
    void navigate({ to: path })
  }
  return (
    <search className="search">
      <Glass size={15} aria-hidden="true" />
      <Autocomplete.Root
        items={links as PageLink[]}
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
                {(link: PageLink) => (
                  <Autocomplete.Item key={link.path} value={link} className="option" onClick={() => open(link)}>
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
