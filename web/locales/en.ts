import { byArea } from './by-area.ts'

/** What most screens say; `app/texts.ts` loads the other areas with what needs them. */
export const texts = byArea(
  import.meta.glob(
    ['./en/*.json', '!./en/{agreement,refusals,auth,chart,certify,perp,records,orders,me,option,margin,apikeys,webhooks}.json'],
    {
      eager: true,
      import: 'default',
    },
  ),
)

export const later = byArea(
  import.meta.glob('./en/{agreement,refusals,auth,chart,certify,perp,records,orders,me,option,margin,apikeys,webhooks}.json', {
    import: 'default',
  }),
)
