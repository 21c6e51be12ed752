import type { Texts } from '../text.ts'

export const pt: Texts = {
  locale: 'pt-PT',
  footer: 'A Candor nunca lhe pede um código ou uma palavra-passe, nem por e-mail, nem por telefone, nem por chat.',
  inbox: {
    title: 'Caixa de entrada da sandbox',
    note: 'Os e-mails e SMS desta sandbox chegam aqui e a mais lado nenhum. Os mais recentes primeiro.',
    filter: 'Endereço de e-mail ou número de telefone',
    show: 'Mostrar',
    refresh: 'Atualizar',
    empty: 'Ainda não chegou nada. Peça um código na aplicação e depois atualize.',
    recipient: 'Para {to}',
  },
  templates: {
    'register-code': {
      subject: '{code} é o seu código Candor',
      body: [
        'Damos-lhe as boas-vindas. Introduza este código para concluir o registo:',
        '{code}',
        'É válido durante {minutes} minutos. Se não o pediu, ignore esta mensagem: sem o código nada acontece.',
      ],
      sms: '{code} é o seu código Candor para se registar. Válido durante {minutes} minutos. Não o dê a ninguém.',
    },
    'reset-code': {
      subject: '{code} é o seu código para repor a palavra-passe',
      body: [
        'Introduza este código para definir uma nova palavra-passe:',
        '{code}',
        'É válido durante {minutes} minutos. Se não o pediu, alguém escreveu o seu endereço: a sua palavra-passe fica como está.',
      ],
      sms: '{code} é o seu código Candor para repor a palavra-passe. Válido durante {minutes} minutos. Não o dê a ninguém.',
    },
    'new-device': {
      subject: 'Novo início de sessão na sua conta',
      body: [
        'Alguém iniciou sessão na sua conta a partir de um dispositivo que não conhecíamos.',
        'Dispositivo: {device}\nEndereço IP: {ip}\nHora: {time}',
        'Se foi você, não precisa de fazer nada. Caso contrário, reponha já a palavra-passe: isso termina todas as sessões.',
      ],
      sms: 'Candor: novo início de sessão com {device}, {ip}, {time}. Não foi você? Reponha já a palavra-passe.',
    },
    'password-changed': {
      subject: 'A sua palavra-passe foi alterada',
      body: [
        'A palavra-passe da sua conta foi alterada e as outras sessões foram terminadas.',
        'Dispositivo: {device}\nEndereço IP: {ip}\nHora: {time}',
        'Se não foi você, reponha já a palavra-passe e escreva ao apoio ao cliente.',
      ],
      sms: 'Candor: a sua palavra-passe foi alterada, {time}. Não foi você? Reponha-a já e escreva ao apoio ao cliente.',
    },
    'account-exists': {
      subject: 'Já tem uma conta',
      body: [
        'Alguém, provavelmente você, quis registar-se com este endereço. Já existe uma conta com ele, por isso não é aberta outra.',
        'Inicie sessão como habitualmente. Se se esqueceu da palavra-passe, escolha «Esqueci-me da palavra-passe» na página de início de sessão.',
      ],
      sms: 'Candor: este número já tem uma conta. Inicie sessão ou escolha «Esqueci-me da palavra-passe».',
    },
  },
}
