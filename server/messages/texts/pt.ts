import type { Texts } from '../text.ts'

export const pt: Texts = {
  locale: 'pt-BR',
  footer: 'A Candor nunca pede um código ou uma senha, nem por e-mail, nem por telefone, nem por chat.',
  phrase: 'A sua frase: {phrase}',
  closesWithdrawals: 'Para proteger você, nenhum saque sai da sua conta por 24 horas.',
  freeze: {
    mail: 'Não foi você? Este link, válido por 72 horas, congela a sua conta na hora. Nada acontece antes de você confirmar na página:\n{link}',
    sms: 'Congelar a conta: {link}',
  },
  withdrawalReasons: {
    'not-asked': 'Parece que outra pessoa o solicitou.',
    address: 'Não é seguro enviar para este endereço.',
    identity: 'Temos perguntas sobre a sua identidade.',
    deposit: 'Um depósito por trás dele está em análise.',
    unclear: 'A finalidade dele não está clara para nós.',
    'on-wish': 'Você pediu que o parássemos.',
  },
  inbox: {
    title: 'Caixa de entrada do modo de treino',
    note: 'Os e-mails e SMS do modo de treino chegam aqui e não vão para nenhum outro lugar. Os mais recentes primeiro.',
    filter: 'E-mail ou número de telefone',
    show: 'Mostrar',
    refresh: 'Atualizar',
    empty: 'Ainda não chegou nada. Peça um código no aplicativo e depois atualize.',
    recipient: 'Para {to}',
  },
  templates: {
    'register-code': {
      subject: '{code} é o seu código Candor',
      body: [
        'Boas-vindas! Digite este código para concluir o cadastro:',
        '{code}',
        'Ele vale por {minutes} minutos. Se você não o pediu, ignore esta mensagem: sem o código nada acontece.',
      ],
      sms: '{code} é o seu código Candor para se cadastrar. Vale por {minutes} minutos. Não o passe a ninguém.',
    },
    'reset-code': {
      subject: '{code} é o seu código para redefinir a senha',
      body: [
        'Digite este código para definir uma nova senha:',
        '{code}',
        'Ele vale por {minutes} minutos. Se você não o pediu, alguém digitou o seu endereço: a sua senha continua a mesma.',
        'Ou abra este link: por 15 minutos ele permite definir uma nova senha sem o código.',
        '{link}',
      ],
      sms: '{code} é o seu código Candor para redefinir a senha. Vale por {minutes} minutos. Não o passe a ninguém.',
    },
    'reset-link': {
      subject: 'O seu link para redefinir a senha',
      body: [
        'Abra este link em até {minutes} minutos para definir uma nova senha:',
        '{link}',
        'Os códigos não são aceitos no momento, porque foram pedidos ou tentados códigos demais.',
        'Se você não o pediu, alguém digitou o seu endereço: a sua senha continua a mesma. Não passe o link a ninguém.',
      ],
      sms: 'Candor: redefina a senha em {link}, válido por {minutes} minutos. Não o passe a ninguém.',
    },
    'new-device': {
      subject: 'Novo acesso à sua conta',
      body: [
        'Alguém entrou na sua conta com um dispositivo que ainda não conhecíamos.',
        'Dispositivo: {device}\nEndereço IP: {ip}\nHorário: {time}',
        'Se foi você, não é preciso fazer nada. Se não foi, redefina a senha agora: isso encerra todas as sessões.',
      ],
      sms: 'Candor: novo acesso com {device}, {ip}, {time}. Não foi você? Redefina a senha agora.',
    },
    'password-changed': {
      subject: 'A sua senha foi alterada',
      body: [
        'A senha da sua conta foi alterada e as outras sessões foram encerradas.',
        'Dispositivo: {device}\nEndereço IP: {ip}\nHorário: {time}',
        'Se não foi você, redefina a senha agora e escreva para o suporte.',
      ],
      sms: 'Candor: a sua senha foi alterada, {time}. Não foi você? Redefina-a agora e escreva para o suporte.',
    },
    'key-widened': {
      subject: 'Uma chave de API pode agir por sua conta',
      body: [
        'Uma chave de API foi criada para a sua conta, ou recebeu mais permissões.',
        'Dispositivo: {device}\nEndereço IP: {ip}\nHorário: {time}',
        'Se não foi você, exclua a chave no aplicativo e altere a senha agora.',
      ],
      sms: 'Candor: uma chave de API pode agir por sua conta, {time}. Não foi você? Exclua-a e altere a senha agora.',
    },
    'proof-code': {
      subject: '{code} é o seu código de confirmação',
      body: [
        'Digite este código para confirmar que é você:',
        '{code}',
        'Ele vale por {minutes} minutos. Se você não o pediu, alguém está na sua conta: redefina a senha agora.',
      ],
      sms: '{code} é o seu código de confirmação Candor. Vale por {minutes} minutos. Não o passe a ninguém.',
    },
    'factor-added': {
      subject: 'Um segundo fator foi adicionado',
      body: [
        'Uma chave de acesso ou um aplicativo autenticador foi adicionado à sua conta.',
        'Dispositivo: {device}\nEndereço IP: {ip}\nHorário: {time}',
        'Se não foi você, redefina a senha agora e escreva ao suporte.',
      ],
      sms: 'Candor: segundo fator adicionado, {time}. Não foi você? Redefina a senha agora e escreva ao suporte.',
    },
    'factor-removed': {
      subject: 'Um segundo fator foi removido',
      body: [
        'Uma chave de acesso ou o aplicativo autenticador foi removido da sua conta.',
        'Dispositivo: {device}\nEndereço IP: {ip}\nHorário: {time}',
        'Se não foi você, redefina a senha agora e escreva ao suporte.',
      ],
      sms: 'Candor: segundo fator removido, {time}. Não foi você? Redefina a senha agora e escreva ao suporte.',
    },
    'factor-failed': {
      subject: 'Um login parou no segundo fator',
      body: [
        'Alguém digitou a sua senha e depois um código errado.',
        'Dispositivo: {device}\nEndereço IP: {ip}\nHorário: {time}',
        'Se não foi você, alguém sabe a sua senha: altere-a agora.',
      ],
      sms: 'Candor: senha certa, segundo fator errado, {time}. Não foi você? Altere a senha agora.',
    },
    'recovery-renewed': {
      subject: 'Os seus códigos de recuperação foram renovados',
      body: [
        'Os códigos de recuperação da sua conta foram substituídos. Os antigos não valem mais.',
        'Dispositivo: {device}\nEndereço IP: {ip}\nHorário: {time}',
        'Se não foi você, redefina a senha agora e escreva para o suporte.',
      ],
      sms: 'Candor: códigos de recuperação renovados, {time}. Não foi você? Redefina a senha agora e escreva ao suporte.',
    },
    'address-code': {
      subject: '{code} é o seu código para adicionar este endereço',
      body: [
        'Digite este código para adicionar este endereço à sua conta:',
        '{code}',
        'Ele vale por {minutes} minutos. Se você não o pediu, ignore esta mensagem: sem o código, nada acontece.',
      ],
      sms: '{code} é o seu código Candor para adicionar este número. Vale por {minutes} minutos. Não o passe a ninguém.',
    },
    'address-taken': {
      subject: 'Alguém tentou adicionar o seu endereço a uma conta',
      body: [
        'Alguém tentou adicionar este endereço a outra conta. Ele pertence à sua, por isso nada mudou e nenhum código foi enviado.',
        'Se foi você: um endereço só pode pertencer a uma conta. Remova-o desta primeiro.',
      ],
      sms: 'Candor: alguém tentou adicionar este número a outra conta. Ele continua na sua; nada mudou.',
    },
    'address-set': {
      subject: 'Os endereços da sua conta mudaram',
      body: [
        '{address} agora pertence à sua conta: serve para entrar e recebe as mensagens de segurança. O endereço anterior do mesmo tipo não vale mais.',
        'Dispositivo: {device}\nEndereço IP: {ip}\nHorário: {time}',
        'Se não foi você, redefina a senha agora e escreva para o suporte.',
      ],
      sms: 'Candor: {address} agora pertence à sua conta, {time}. Não foi você? Escreva agora para o suporte.',
    },
    'address-removed': {
      subject: 'Um endereço foi removido da sua conta',
      body: [
        '{address} não pertence mais à sua conta: não serve mais para entrar nem recebe mensagens.',
        'Dispositivo: {device}\nEndereço IP: {ip}\nHorário: {time}',
        'Se não foi você, redefina a senha agora e escreva para o suporte.',
      ],
      sms: 'Candor: {address} não pertence mais à sua conta, {time}. Não foi você? Escreva agora para o suporte.',
    },
    'payment-set': {
      subject: 'A sua senha de pagamento foi definida',
      body: [
        'A senha de pagamento da sua conta foi definida ou alterada.',
        'Dispositivo: {device}\nEndereço IP: {ip}\nHorário: {time}',
        'Se não foi você, redefina a senha agora e escreva para o suporte.',
      ],
      sms: 'Candor: senha de pagamento definida, {time}. Não foi você? Redefina a senha agora e escreva ao suporte.',
    },
    'deletion-asked': {
      subject: 'Sua conta será excluída em {date}',
      body: [
        'Você pediu a exclusão da sua conta. Em {date} ela será apagada e não poderá ser recuperada.',
        'Dispositivo: {device}\nEndereço IP: {ip}\nHora: {time}',
        'Mudou de ideia ou não foi você? Entre antes desse dia: isso cancela a exclusão.',
      ],
      sms: 'Candor: sua conta será excluída em {date}. Entre antes para cancelar.',
    },
    'account-frozen': {
      subject: 'A sua conta está congelada',
      body: [
        'A sua conta foi congelada: todas as sessões foram encerradas, ninguém pode entrar, as chaves de API são recusadas e as ordens abertas são canceladas. As posições abertas seguem as regras do mercado.',
        'Dispositivo: {device}\nEndereço IP: {ip}\nHorário: {time}',
        'Para voltar a usá-la, escreva para o suporte. Duas pessoas da nossa equipe verificam que é você.',
      ],
      sms: 'Candor: a sua conta está congelada, {time}. Ninguém pode entrar. Para voltar a usá-la, escreva ao suporte.',
    },
    'frozen-note': {
      subject: 'A senha não pode ser redefinida: a conta está congelada',
      body: [
        'Alguém, provavelmente você, pediu para redefinir a senha da sua conta. A conta está congelada, por isso nada mudou.',
        'Para voltar a usá-la, escreva para o suporte. Duas pessoas da nossa equipe verificam que é você.',
      ],
      sms: 'Candor: a sua conta está congelada e a senha não pode ser redefinida. Escreva para o suporte.',
    },
    'account-unfrozen': {
      subject: 'A sua conta está aberta de novo',
      body: [
        'A sua conta não está mais congelada. Você pode entrar como antes, e as suas chaves de API voltam a funcionar.',
        'Verifique as chaves, os endereços e o histórico de acessos. Se não foi você que pediu, congele a conta de novo e escreva para o suporte.',
      ],
      sms: 'Candor: a sua conta não está mais congelada e você pode entrar de novo. Não foi você? Escreva ao suporte.',
    },
    'regain-code': {
      subject: '{code} é o seu código para recuperar o acesso',
      body: [
        'Alguém digitou a sua senha e pediu acesso sem o seu segundo fator. Digite este código para continuar:',
        '{code}',
        'Ele vale por {minutes} minutos.',
        'Dispositivo: {device}\nEndereço IP: {ip}\nHorário: {time}',
        'Se não foi você, alguém conhece a sua senha: mude-a agora e não passe o código a ninguém.',
      ],
      sms: '{code} é o seu código Candor para entrar sem o segundo fator. Não foi você? Mude a senha agora. Não o passe a ninguém.',
    },
    'regain-begun': {
      subject: 'Alguém pede acesso sem o seu segundo fator',
      body: [
        'Alguém que conhece a sua senha e lê esta caixa ou este telefone pediu acesso à sua conta sem o seu segundo fator.',
        'Dispositivo: {device}\nEndereço IP: {ip}\nHorário: {time}',
        'O acesso será dado no mínimo em {until}, a menos que você o impeça. Se foi você, não há nada a fazer.',
        'Se não foi você, entre com o seu segundo fator: isso encerra o pedido. Ou congele a conta.',
      ],
      sms: 'Candor: alguém pede acesso sem o seu segundo fator, no mínimo em {until}. Não foi você? Entre com o segundo fator ou congele a conta.',
    },
    'regain-link': {
      subject: 'O seu link para recuperar o acesso',
      body: [
        'A espera terminou. Abra este link em até {hours} horas e defina uma nova senha; os segundos fatores perdidos serão removidos:',
        '{link}',
        'O link funciona uma vez. Não o passe a ninguém. Depois, todas as sessões se encerram e nenhum saque sai da sua conta por 24 horas.',
      ],
      sms: 'Candor: abra {link} em até {hours} horas para recuperar o acesso. Não o passe a ninguém.',
    },
    'regain-rejected': {
      subject: 'O seu pedido de acesso foi recusado',
      body: [
        'O documento enviado não corresponde ao que verificou a sua conta, por isso os segundos fatores ficam como estão.',
        'Entre e peça de novo com fotos do mesmo documento, ou escreva para o suporte.',
      ],
      sms: 'Candor: o pedido de acesso foi recusado, o documento não corresponde. Peça de novo com o documento verificado ou escreva ao suporte.',
    },
    regained: {
      subject: 'Os seus segundos fatores foram removidos',
      body: [
        'A sua conta foi reaberta com uma nova senha, sem os segundos fatores. Todas as sessões foram encerradas.',
        'Dispositivo: {device}\nEndereço IP: {ip}\nHorário: {time}',
        'Entre e adicione agora uma chave de acesso ou um aplicativo autenticador. Se não foi você, escreva para o suporte.',
      ],
      sms: 'Candor: senha nova e segundos fatores removidos, {time}. Adicione um agora. Não foi você? Escreva ao suporte.',
    },
    'allow-list-on': {
      subject: 'O seu bloqueio de endereços está ativado',
      body: [
        'Agora ninguém pode adicionar um endereço de saque à sua conta. Os saques vão só para os endereços da lista dela.',
        'Dispositivo: {device}\nEndereço IP: {ip}\nHorário: {time}',
      ],
      sms: 'Candor: o seu bloqueio de endereços está ativado, {time}.',
    },
    'allow-list-ending': {
      subject: 'O seu bloqueio de endereços será desativado',
      body: [
        'Alguém pediu para desativar o seu bloqueio de endereços. Ele vale até {until}; depois, endereços de saque poderão ser adicionados de novo, e cada um espera 24 horas.',
        'Dispositivo: {device}\nEndereço IP: {ip}\nHorário: {time}',
        'Se não foi você, mantenha o bloqueio na central de segurança e mude a senha agora.',
      ],
      sms: 'Candor: o seu bloqueio de endereços termina em {until}. Não foi você? Mantenha-o na central de segurança e mude a senha agora.',
    },
    'withdrawal-address-added': {
      subject: 'Um endereço de saque foi adicionado',
      body: [
        'Os saques da sua conta poderão ir para este endereço {network} a partir de {until}:',
        '{destination}',
        'Dispositivo: {device}\nEndereço IP: {ip}\nHorário: {time}',
        'Se não foi você, alguém entrou na sua conta: congele-a agora.',
      ],
      sms: 'Candor: endereço de saque {network} {destination} adicionado, pode ser usado a partir de {until}.',
    },
    'withdrawal-address-removed': {
      subject: 'Um endereço de saque foi removido',
      body: [
        'Nenhum saque da sua conta irá mais para este endereço {network}:',
        '{destination}',
        'Dispositivo: {device}\nEndereço IP: {ip}\nHorário: {time}',
        'Se não foi você, mude a senha agora.',
      ],
      sms: 'Candor: endereço de saque {network} {destination} removido, {time}. Não foi você? Mude a senha agora.',
    },
    'withdrawal-requested': {
      subject: 'Um saque foi solicitado',
      body: [
        'Um saque de {quantity} {asset} da sua conta foi solicitado. {received} {asset} devem chegar a este endereço {network}:',
        '{destination}',
        'Hora: {time}',
        'Se não foi você, congele a sua conta agora. Enquanto o saque estiver em análise, isso o impede.',
      ],
      sms: 'Candor: saque de {quantity} {asset} para {network} {destination} solicitado. Não foi você? Congele a sua conta agora.',
    },
    'withdrawal-approved': {
      subject: 'Seu saque foi aprovado',
      body: ['Seu saque de {quantity} {asset} foi aprovado e será enviado para este endereço {network}:', '{destination}', 'Hora: {time}'],
      sms: 'Candor: seu saque de {quantity} {asset} foi aprovado, {time}.',
    },
    'withdrawal-rejected': {
      subject: 'Seu saque foi rejeitado',
      body: [
        'Seu saque de {quantity} {asset} foi rejeitado. O valor está disponível de novo.',
        'Motivo: {reason}',
        'Hora: {time}',
        'Se tiver perguntas, escreva para o suporte.',
      ],
      sms: 'Candor: seu saque de {quantity} {asset} foi rejeitado, {time}. O app mostra o motivo.',
    },
    'withdrawal-paid': {
      subject: 'Seu saque foi pago',
      body: ['{received} {asset} chegaram a este endereço {network}:', '{destination}', 'Transação:\n{txid}', 'Hora: {time}'],
      sms: 'Candor: seu saque de {quantity} {asset} foi pago, {time}. O app mostra a transação.',
    },
    'withdrawal-failed': {
      subject: 'Seu saque falhou',
      body: [
        'Não foi possível pagar o seu saque de {quantity} {asset} na rede {network}. O valor está disponível de novo.',
        'Hora: {time}',
        'Nada saiu da sua conta. Você pode solicitar o saque de novo.',
      ],
      sms: 'Candor: seu saque de {quantity} {asset} falhou, {time}. O valor está disponível de novo.',
    },
    'deposit-credited': {
      subject: 'Um depósito foi creditado',
      body: [
        '{quantity} {asset} da rede {network} foram creditados na sua conta Spot.',
        'Hora: {time}',
        'Você já pode negociar com eles. O app mostra a partir de quando podem ser sacados.',
      ],
      sms: 'Candor: {quantity} {asset} da rede {network} foram creditados, {time}.',
    },
    'deposit-repaid': {
      subject: 'Um depósito pagou a sua dívida',
      body: [
        '{quantity} {asset} chegaram da rede {network}. Desse valor, {repaid} {asset} pagaram a sua dívida por um depósito descartado pela rede. Você ainda deve {debt} {asset}.',
        'Hora: {time}',
      ],
      sms: 'Candor: {repaid} {asset} de um depósito pagaram a sua dívida, {time}.',
    },
    'deposit-final': {
      subject: 'Um depósito já pode ser sacado',
      body: ['Seu depósito de {quantity} {asset} da rede {network} é definitivo. Já pode ser sacado.', 'Hora: {time}'],
      sms: 'Candor: seu depósito de {quantity} {asset} já pode ser sacado, {time}.',
    },
    'deposit-small': {
      subject: 'Um depósito está abaixo do mínimo',
      body: [
        '{quantity} {asset} chegaram da rede {network}. Os depósitos nesta rede são creditados quando, somados, chegam a {min} {asset}. Ainda faltam {missing} {asset}.',
        'Hora: {time}',
        'O que chegou continua sendo seu e conta com os seus próximos depósitos.',
      ],
      sms: 'Candor: um depósito de {quantity} {asset} está em espera; faltam {missing} {asset} para o mínimo.',
    },
    'deposit-dropped': {
      subject: 'Um depósito foi estornado',
      body: [
        'A rede {network} descartou o bloco do seu depósito de {quantity} {asset}, por isso ele foi estornado da sua conta Spot.',
        'Hora: {time}',
        'Se a rede retomar o pagamento, ele é creditado de novo.',
      ],
      sms: 'Candor: a rede descartou o seu depósito de {quantity} {asset}, que foi estornado, {time}.',
    },
    'deposit-debt': {
      subject: 'Você deve um depósito descartado pela rede',
      body: [
        'A rede {network} descartou o bloco do seu depósito de {quantity} {asset}. A sua conta Spot já não o tinha por inteiro, por isso você deve {debt} {asset}.',
        'Hora: {time}',
        'Nenhum saque é aceito até que a dívida seja paga. Os seus próximos depósitos de {asset} a pagam primeiro, ou você a paga no app a partir da conta Spot.',
      ],
      sms: 'Candor: a rede descartou o seu depósito de {quantity} {asset}. Você deve {debt} {asset}; nenhum saque é aceito até o pagamento.',
    },
    'rest-begun': {
      subject: 'Uma pausa da sua conta começou',
      body: [
        'Até {until}, sua conta não aceita nada que abra risco: nenhuma nova posição, empréstimo ou ordem de Second, e nenhuma compra com USDT. Fechar, vender por USDT e sacar continuam possíveis.',
        'Ninguém pode encerrar uma pausa antes, nem você nem a corretora. A página “Seus limites” no app mostra por que ela começou.',
      ],
      sms: 'Candor: uma pausa da sua conta começou e vai até {until}.',
    },
    'papers-verified': {
      subject: 'Sua identidade está verificada',
      body: ['Sua identidade está verificada. Futuros, Margem, Second e empréstimos estão abertos para você.'],
      sms: 'Candor: sua identidade está verificada.',
    },
    'papers-rejected': {
      subject: 'A verificação de identidade precisa de uma alteração',
      body: [
        'Ainda não conseguimos verificar sua identidade. Abra “Verificação de identidade” no app: lá está o que falta e por quê.',
        'Só as partes marcadas precisam ser enviadas de novo.',
      ],
      sms: 'Candor: sua verificação de identidade precisa de uma alteração. Veja no app o que falta.',
    },
    'papers-revoked': {
      subject: 'Sua verificação de identidade foi revogada',
      body: [
        'Sua identidade não está mais verificada. Futuros, Margem, Second e empréstimos estão fechados para novas ordens; o que está aberto pode ser fechado, e seus fundos continuam seus.',
        'Abra “Verificação de identidade” no app para se verificar de novo, ou escreva ao suporte.',
      ],
      sms: 'Candor: sua verificação de identidade foi revogada. Abra o app para se verificar de novo.',
    },
    'login-failed': {
      subject: 'Logins malsucedidos na sua conta',
      body: [
        'Alguém digitou senhas erradas da sua conta várias vezes. Esta foi a última tentativa:',
        'Dispositivo: {device}\nEndereço IP: {ip}\nHorário: {time}',
        'Se foi você, não há nada a fazer. Se não, adicione um segundo fator na central de segurança do aplicativo: assim, só a senha não basta.',
      ],
      sms: 'Candor: várias senhas erradas para a sua conta, a última de {ip}, {time}. Não foi você? Adicione um segundo fator.',
    },
    'recovery-used': {
      subject: 'Um código de recuperação foi usado',
      body: [
        'Um código de recuperação da sua conta foi usado no lugar do segundo fator.',
        'Dispositivo: {device}\nEndereço IP: {ip}\nHorário: {time}',
        'Se não foi você, redefina a senha agora e escreva ao suporte.',
      ],
      sms: 'Candor: código de recuperação usado, {time}. Não foi você? Redefina a senha agora e escreva ao suporte.',
    },
    'key-used': {
      subject: 'Uma chave de API foi usada pela primeira vez',
      body: [
        'A chave de API “{label}” da sua conta foi usada pela primeira vez.',
        'Endereço IP: {ip}\nHorário: {time}',
        'Se não foi você, exclua a chave no aplicativo e altere a senha agora.',
      ],
      sms: 'Candor: primeiro uso de uma chave de API, de {ip}, {time}. Não foi você? Exclua a chave e altere a senha agora.',
    },
    'rest-ended': {
      subject: 'Sua pausa terminou',
      body: [
        'Sua pausa terminou. Seus limites continuam como estão.',
        'Se quiser continuar em pausa, comece outra no aplicativo, no seu perfil.',
      ],
      sms: 'Candor: sua pausa terminou. Seus limites continuam como estão.',
    },
    'support-answered': {
      subject: 'O suporte respondeu',
      body: [
        'O suporte respondeu no seu chamado {ticket}.',
        'Hora: {time}',
        'Leia a resposta no app, em “Suporte”. Nossa equipe nunca pede sua senha, um código ou sua senha de pagamento.',
      ],
      sms: 'Candor: o suporte respondeu no seu chamado {ticket}. Leia a resposta no app.',
    },
    'firm-waiting': {
      subject: 'Um pedido da sua empresa espera por você',
      body: [
        'O pedido {number} de {firm} precisa da sua aprovação.',
        'Hora: {time}',
        'Veja o pedido no app em “Contas empresariais” e só aprove se souber para que serve.',
      ],
      sms: 'Candor: O pedido {number} de {firm} precisa da sua aprovação.',
    },
    'firm-decided': {
      subject: 'Um pedido da sua empresa foi decidido',
      body: ['Pedido {number} de {firm}: veja o resultado.', 'Hora: {time}', 'Veja o resultado no app, em “Contas empresariais”.'],
      sms: 'Candor: Pedido {number} de {firm}: veja o resultado.',
    },
    'firm-invited': {
      subject: 'Uma empresa convida você',
      body: [
        '{firm} convida você para ser membro.',
        'Hora: {time}',
        'Veja no app, em “Contas empresariais”, qual função ela oferece, e só aceite se conhecer a empresa.',
      ],
      sms: 'Candor: {firm} convida você para ser membro.',
    },
    'firm-changed': {
      subject: 'Sua função em uma empresa mudou',
      body: [
        'Sua função ou suas contas em {firm} foram alteradas.',
        'Hora: {time}',
        'Veja no app, em “Contas empresariais”, o que você pode fazer agora. As chaves de API que você criou para as contas dela podem não valer mais.',
      ],
      sms: 'Candor: Sua função ou suas contas em {firm} foram alteradas.',
    },
    'firm-ended': {
      subject: 'Sua participação em uma empresa terminou',
      body: [
        'Sua participação em {firm}, ou seu convite, terminou.',
        'Hora: {time}',
        'Você não usa mais as contas da empresa. Sua própria conta não muda.',
      ],
      sms: 'Candor: Sua participação em {firm}, ou seu convite, terminou.',
    },
    'firm-answered': {
      subject: 'Seu pedido de empresa foi decidido',
      body: ['A corretora decidiu sobre o seu pedido para {firm}.', 'Hora: {time}', 'Leia a decisão no app, em “Contas empresariais”.'],
      sms: 'Candor: A corretora decidiu sobre o seu pedido para {firm}.',
    },
    'funds-posted': {
      subject: 'Seu saldo foi ajustado',
      body: [
        'A Candor lançou um ajuste na sua conta. Dois membros da equipe o decidiram e informaram o motivo.',
        'Hora: {time}',
        'O app mostra o valor nos registros de ativos. Se você não esperava por isso, escreva para o suporte.',
      ],
      sms: 'Candor: seu saldo foi ajustado, {time}. O app mostra o valor.',
    },
    'limit-raised': {
      subject: 'Um dos seus limites foi aumentado ou removido',
      body: [
        'Você confirmou, depois do período de espera, o aumento ou a remoção de um dos seus limites. Vale a partir de agora.',
        'Você pode reduzi-lo de novo a qualquer momento, na hora. Se não foi você, congele sua conta agora.',
      ],
      sms: 'Candor: um dos seus limites foi aumentado ou removido. Não foi você? Congele sua conta agora.',
    },
    'futures-warning': {
      subject: 'Uma posição de Futuros está perto da liquidação',
      body: [
        'Uma posição da sua conta de Futuros está perto da liquidação.',
        'Horário: {time}',
        'Abra o aplicativo para adicionar margem ou reduzir a posição. Se o preço de marcação continuar contra ela, será fechada.',
      ],
      sms: 'Candor: uma posição de Futuros está perto da liquidação, {time}. Adicione margem ou reduza-a no aplicativo.',
    },
    'futures-liquidated': {
      subject: 'Uma posição de Futuros está sendo liquidada',
      body: [
        'A margem de uma das suas posições de Futuros não a cobre mais: a posição está sendo fechada, em parte ou por completo.',
        'Horário: {time}',
        'O aplicativo mostra cada passo, com os preços que o decidiram.',
      ],
      sms: 'Candor: uma posição de Futuros está sendo liquidada, {time}. O aplicativo mostra cada passo.',
    },
    'futures-deleveraged': {
      subject: 'Uma posição de Futuros foi reduzida automaticamente',
      body: [
        'A posição de Futuros de outro cliente não pôde ser fechada no mercado. A sua, do lado oposto, foi fechada ao mesmo preço, em parte ou por completo: é a desalavancagem automática.',
        'Horário: {time}',
        'O aplicativo mostra o preço e o que resta da posição.',
      ],
      sms: 'Candor: uma posição de Futuros foi reduzida automaticamente, {time}. Detalhes no aplicativo.',
    },
    'margin-warning': {
      subject: 'Uma conta de Margem está perto da liquidação',
      body: [
        'O nível de uma das suas contas de Margem está baixo.',
        'Horário: {time}',
        'Abra o aplicativo para pagar ou adicionar ativos. Se o nível cair mais, ativos serão vendidos para pagar a dívida.',
      ],
      sms: 'Candor: uma conta de Margem está perto da liquidação, {time}. Pague ou adicione ativos no aplicativo.',
    },
    'margin-liquidated': {
      subject: 'Uma conta de Margem está sendo liquidada',
      body: [
        'O nível de uma das suas contas de Margem caiu abaixo do limite: ativos estão sendo vendidos para pagar a dívida.',
        'Horário: {time}',
        'O aplicativo mostra cada passo, com os preços que o decidiram.',
      ],
      sms: 'Candor: uma conta de Margem está sendo liquidada, {time}. O aplicativo mostra cada passo.',
    },
    'price-alert': {
      subject: 'Um alerta de preço foi atingido',
      body: [
        '{symbol} atingiu o seu alerta de preço: {reached}.',
        'Hora: {time}',
        'Os alertas são gerenciados no app. Eles não são conselho de investimento.',
      ],
      sms: 'Candor: {symbol} atingiu o seu alerta de preço: {reached}, {time}.',
    },
    'second-settled': {
      subject: 'Uma ordem Second foi liquidada',
      body: ['Uma das suas ordens Second foi liquidada.', 'Horário: {time}', 'O aplicativo mostra o resultado e como conferi-lo.'],
      sms: 'Candor: uma ordem Second foi liquidada, {time}.',
    },
    'order-filled': {
      subject: 'Uma ordem foi executada',
      body: ['Uma das suas ordens foi executada por completo.', 'Horário: {time}', 'O aplicativo mostra o preço e as taxas.'],
      sms: 'Candor: uma ordem foi executada, {time}.',
    },
    'order-cut': {
      subject: 'Uma ordem foi executada em parte',
      body: [
        'Uma das suas ordens foi executada em parte, e o resto foi cancelado.',
        'Horário: {time}',
        'O aplicativo mostra o preço e as taxas.',
      ],
      sms: 'Candor: uma ordem foi executada em parte, {time}.',
    },
    'algo-ended': {
      subject: 'Uma ordem TWAP ou escalonada foi encerrada',
      body: [
        'Uma das suas ordens TWAP ou escalonadas foi encerrada.',
        'Horário: {time}',
        'O aplicativo mostra o que foi comprado ou vendido e o motivo.',
      ],
      sms: 'Candor: uma ordem TWAP ou escalonada foi encerrada, {time}.',
    },
    'order-ended': {
      subject: 'Uma ordem terminou sem execução',
      body: ['Uma das suas ordens terminou antes de ser executada.', 'Horário: {time}', 'O aplicativo mostra o motivo.'],
      sms: 'Candor: uma ordem terminou sem execução, {time}.',
    },
    'coins-moved': {
      subject: 'Uma transferência entre contas foi feita',
      body: [
        'Foi feita uma transferência entre as suas contas ou entre contas da sua empresa.',
        'Horário: {time}',
        'O aplicativo mostra a moeda e o valor.',
      ],
      sms: 'Candor: uma transferência entre contas foi feita, {time}.',
    },
    'loan-taken': {
      subject: 'Um empréstimo foi tomado',
      body: ['Um empréstimo foi tomado em uma das suas contas de margem.', 'Horário: {time}', 'O aplicativo mostra a moeda e o valor.'],
      sms: 'Candor: um empréstimo foi tomado, {time}.',
    },
    'loan-repaid': {
      subject: 'Um empréstimo foi pago',
      body: [
        'Um empréstimo em uma das suas contas de margem foi pago, no todo ou em parte.',
        'Horário: {time}',
        'O aplicativo mostra a moeda e o valor.',
      ],
      sms: 'Candor: um empréstimo foi pago, {time}.',
    },
    'signal-refused': {
      subject: 'Um sinal foi recusado',
      body: [
        'Um alerta para uma das suas chaves de API não criou nenhuma ordem.',
        'Horário: {time}',
        'O registro de sinais do aplicativo mostra o motivo.',
      ],
      sms: 'Candor: um sinal foi recusado, {time}.',
    },
    'staff-enrolment': {
      subject: 'Configure sua conta da equipe',
      body: [
        'Abra este link para definir uma senha e uma chave de acesso para sua conta da equipe:',
        '{link}',
        'Ele funciona uma vez, em até 24 horas, e é só para você: não o passe a ninguém, nem a um colega.',
        'Se você não o esperava, não o abra e avise os administradores.',
      ],
      sms: 'Candor: configure sua conta da equipe em {link}, uma vez, em até 24 horas.',
    },
    'staff-address': {
      subject: 'O endereço da sua conta da equipe foi alterado',
      body: [
        'A partir de agora, os e-mails da sua conta da equipe vão para outro endereço.',
        'Horário: {time}',
        'Se você não pediu isso, avise os administradores agora.',
      ],
      sms: 'Candor: o endereço da sua conta da equipe foi alterado, {time}. Não foi você? Avise os administradores.',
    },
    'staff-login': {
      subject: 'O login da sua conta da equipe foi alterado',
      body: [
        'Uma chave de acesso, o aplicativo autenticador ou a senha da sua conta da equipe foi alterada.',
        'Dispositivo: {device}\nEndereço IP: {ip}\nHorário: {time}',
        'Se não foi você, avise os administradores agora: uma nova configuração encerra todas as sessões.',
      ],
      sms: 'Candor: o login da sua conta da equipe foi alterado, {time}. Não foi você? Avise os administradores.',
    },
    'webhook-created': {
      subject: 'Um webhook foi adicionado à sua conta',
      body: [
        'A partir de agora, os eventos da sua conta são enviados para esta URL:',
        '{url}',
        'Dispositivo: {device}\nEndereço IP: {ip}\nHorário: {time}',
        'Se não foi você, exclua o webhook no aplicativo e altere a senha agora.',
      ],
      sms: 'Candor: um webhook foi adicionado à sua conta, {time}. Não foi você? Exclua-o e altere a senha agora.',
    },
    'webhook-off': {
      subject: 'Um webhook foi desativado',
      body: [
        'Os envios a um dos seus webhooks falham desde {time}, por isso ele foi desativado:',
        '{url}',
        'Quando o seu servidor voltar a funcionar, ative o webhook no aplicativo e envie de novo os eventos perdidos. Ordens e saldos não são afetados.',
      ],
      sms: 'Candor: um dos seus webhooks foi desativado: os envios falham desde {time}.',
    },
    'account-exists': {
      subject: 'Você já tem uma conta',
      body: [
        'Alguém, provavelmente você, quis se cadastrar com este endereço. Ele já tem uma conta, por isso não abrimos outra.',
        'Entre como de costume. Se esqueceu a senha, escolha “Esqueceu a senha?” na página de entrada.',
      ],
      sms: 'Candor: este número já tem uma conta. Entre ou escolha "Esqueceu a senha?".',
    },
  },
}
