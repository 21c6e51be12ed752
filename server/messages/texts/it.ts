import type { Texts } from '../text.ts'

export const it: Texts = {
  locale: 'it-IT',
  footer: 'Candor non ti chiede mai un codice o una password, né via email, né per telefono, né in chat.',
  phrase: 'La tua frase: {phrase}',
  closesWithdrawals: 'Per proteggerti, per 24 ore nessun prelievo lascia il tuo conto.',
  freeze: {
    mail: 'Non sei stato tu? Questo link, valido 72 ore, blocca subito il tuo conto. Non succede nulla finché non confermi nella pagina:\n{link}',
    sms: 'Blocca il conto: {link}',
  },
  withdrawalReasons: {
    'not-asked': 'Sembra che lo abbia chiesto qualcun altro.',
    address: 'Non è sicuro inviare a questo indirizzo.',
    identity: 'Abbiamo domande sulla tua identità.',
    deposit: 'Un deposito da cui proviene è in verifica.',
    unclear: 'Il suo scopo non ci è chiaro.',
    'on-wish': 'Ci hai chiesto di fermarlo.',
  },
  inbox: {
    title: 'Posta in arrivo della modalità di prova',
    note: 'Le email e gli SMS della modalità di prova arrivano qui e in nessun altro posto. Prima i più recenti.',
    filter: 'Indirizzo email o numero di telefono',
    show: 'Mostra',
    refresh: 'Aggiorna',
    empty: 'Non è ancora arrivato nulla. Richiedi un codice nell’app, poi aggiorna.',
    recipient: 'A {to}',
  },
  templates: {
    'register-code': {
      subject: '{code} è il tuo codice Candor',
      body: [
        'Ti diamo il benvenuto. Inserisci questo codice per completare la registrazione:',
        '{code}',
        'È valido per {minutes} minuti. Se non l’hai richiesto, ignora questo messaggio: senza il codice non succede nulla.',
      ],
      sms: '{code} è il tuo codice Candor per registrarti. Valido {minutes} minuti. Non darlo a nessuno.',
    },
    'reset-code': {
      subject: '{code} è il tuo codice per reimpostare la password',
      body: [
        'Inserisci questo codice per scegliere una nuova password:',
        '{code}',
        'È valido per {minutes} minuti. Se non l’hai richiesto, qualcuno ha digitato il tuo indirizzo: la password resta quella di prima.',
        'Oppure apri questo link: per 15 minuti permette di scegliere una nuova password senza codice.',
        '{link}',
      ],
      sms: '{code} è il tuo codice Candor per reimpostare la password. Valido {minutes} minuti. Non darlo a nessuno.',
    },
    'reset-link': {
      subject: 'Il tuo link per reimpostare la password',
      body: [
        'Apri questo link entro {minutes} minuti per scegliere una nuova password:',
        '{link}',
        'Al momento i codici non sono accettati, perché ne sono stati richiesti o provati troppi.',
        'Se non l’hai richiesto, qualcuno ha digitato il tuo indirizzo: la password resta quella di prima. Non dare il link a nessuno.',
      ],
      sms: 'Candor: reimposta la password con {link}, valido {minutes} minuti. Non darlo a nessuno.',
    },
    'new-device': {
      subject: 'Nuovo accesso al tuo conto',
      body: [
        'Qualcuno ha effettuato l’accesso al tuo conto da un dispositivo che non conoscevamo.',
        'Dispositivo: {device}\nIndirizzo IP: {ip}\nOra: {time}',
        'Se sei stato tu, non devi fare nulla. Altrimenti reimposta subito la password: così si chiudono tutte le sessioni.',
      ],
      sms: 'Candor: nuovo accesso da {device}, {ip}, {time}. Non sei stato tu? Reimposta subito la password.',
    },
    'password-changed': {
      subject: 'La tua password è stata cambiata',
      body: [
        'La password del tuo conto è stata cambiata e le altre sessioni sono state chiuse.',
        'Dispositivo: {device}\nIndirizzo IP: {ip}\nOra: {time}',
        'Se non sei stato tu, reimposta subito la password e scrivi all’assistenza.',
      ],
      sms: 'Candor: la tua password è stata cambiata, {time}. Non sei stato tu? Reimpostala subito e scrivi all’assistenza.',
    },
    'key-widened': {
      subject: 'Una chiave API può agire per il tuo conto',
      body: [
        'È stata creata una chiave API per il tuo conto, o una ha ricevuto più permessi.',
        'Dispositivo: {device}\nIndirizzo IP: {ip}\nOra: {time}',
        'Se non sei stato tu, elimina la chiave nell’app e cambia subito la password.',
      ],
      sms: 'Candor: una chiave API può agire per il tuo conto, {time}. Non sei stato tu? Eliminala e cambia la password.',
    },
    'proof-code': {
      subject: '{code} è il tuo codice di conferma',
      body: [
        'Inserisci questo codice per confermare che sei tu:',
        '{code}',
        'È valido per {minutes} minuti. Se non l’hai richiesto, qualcuno ha effettuato l’accesso al tuo conto: reimposta subito la password.',
      ],
      sms: '{code} è il tuo codice di conferma Candor. Valido {minutes} minuti. Non darlo a nessuno.',
    },
    'factor-added': {
      subject: 'È stato aggiunto un secondo fattore',
      body: [
        'Al tuo conto è stata aggiunta una passkey o un’app di autenticazione.',
        'Dispositivo: {device}\nIndirizzo IP: {ip}\nOra: {time}',
        'Se non sei stato tu, reimposta subito la password e scrivi all’assistenza.',
      ],
      sms: 'Candor: aggiunto un secondo fattore, {time}. Non sei stato tu? Reimposta la password e scrivi all’assistenza.',
    },
    'factor-removed': {
      subject: 'È stato rimosso un secondo fattore',
      body: [
        'Dal tuo conto è stata rimossa una passkey o l’app di autenticazione.',
        'Dispositivo: {device}\nIndirizzo IP: {ip}\nOra: {time}',
        'Se non sei stato tu, reimposta subito la password e scrivi all’assistenza.',
      ],
      sms: 'Candor: rimosso un secondo fattore, {time}. Non sei stato tu? Reimposta la password e scrivi all’assistenza.',
    },
    'factor-failed': {
      subject: 'Un accesso si è fermato al secondo fattore',
      body: [
        'Qualcuno ha inserito la tua password e poi un codice sbagliato.',
        'Dispositivo: {device}\nIndirizzo IP: {ip}\nOra: {time}',
        'Se non sei stato tu, qualcuno conosce la tua password: cambiala subito.',
      ],
      sms: 'Candor: password giusta, secondo fattore sbagliato, {time}. Non sei stato tu? Cambia la password.',
    },
    'recovery-renewed': {
      subject: 'I tuoi codici di recupero sono stati rinnovati',
      body: [
        'I codici di recupero del tuo conto sono stati sostituiti. Quelli di prima non valgono più.',
        'Dispositivo: {device}\nIndirizzo IP: {ip}\nOra: {time}',
        'Se non sei stato tu, reimposta subito la password e scrivi all’assistenza.',
      ],
      sms: 'Candor: codici di recupero rinnovati, {time}. Non sei stato tu? Reimposta la password e scrivi all’assistenza.',
    },
    'address-code': {
      subject: '{code} è il tuo codice per aggiungere questo indirizzo',
      body: [
        'Inserisci questo codice per aggiungere questo indirizzo al tuo conto:',
        '{code}',
        'È valido per {minutes} minuti. Se non l’hai richiesto, ignora questo messaggio: senza il codice non succede nulla.',
      ],
      sms: '{code} è il tuo codice Candor per aggiungere questo numero. Valido {minutes} minuti. Non darlo a nessuno.',
    },
    'address-taken': {
      subject: 'Qualcuno ha provato ad aggiungere il tuo indirizzo a un conto',
      body: [
        'Qualcuno ha provato ad aggiungere questo indirizzo a un altro conto. Appartiene al tuo, quindi non è cambiato nulla e non è stato inviato alcun codice.',
        'Se sei stato tu: un indirizzo può appartenere a un solo conto. Rimuovilo prima da questo.',
      ],
      sms: 'Candor: qualcuno ha provato ad aggiungere questo numero a un altro conto. Resta al tuo; non è cambiato nulla.',
    },
    'address-set': {
      subject: 'Gli indirizzi del tuo conto sono cambiati',
      body: [
        '{address} appartiene ora al tuo conto: serve per accedere e riceve i messaggi di sicurezza. L’indirizzo precedente dello stesso tipo non vale più.',
        'Dispositivo: {device}\nIndirizzo IP: {ip}\nOra: {time}',
        'Se non sei stato tu, reimposta subito la password e scrivi all’assistenza.',
      ],
      sms: 'Candor: {address} appartiene ora al tuo conto, {time}. Non sei stato tu? Scrivi subito all’assistenza.',
    },
    'address-removed': {
      subject: 'È stato rimosso un indirizzo dal tuo conto',
      body: [
        '{address} non appartiene più al tuo conto: non serve più per accedere e non riceve altri messaggi.',
        'Dispositivo: {device}\nIndirizzo IP: {ip}\nOra: {time}',
        'Se non sei stato tu, reimposta subito la password e scrivi all’assistenza.',
      ],
      sms: 'Candor: {address} non appartiene più al tuo conto, {time}. Non sei stato tu? Scrivi subito all’assistenza.',
    },
    'payment-set': {
      subject: 'La tua password di pagamento è stata impostata',
      body: [
        'La password di pagamento del tuo conto è stata impostata o cambiata.',
        'Dispositivo: {device}\nIndirizzo IP: {ip}\nOra: {time}',
        'Se non sei stato tu, reimposta subito la password e scrivi all’assistenza.',
      ],
      sms: 'Candor: password di pagamento impostata, {time}. Non sei stato tu? Reimposta la password e scrivi all’assistenza.',
    },
    'deletion-asked': {
      subject: 'Il tuo conto sarà eliminato il {date}',
      body: [
        'Hai chiesto di eliminare il tuo conto. Il {date} sarà cancellato e non potrà essere ripristinato.',
        'Dispositivo: {device}\nIndirizzo IP: {ip}\nOra: {time}',
        'Hai cambiato idea o non sei stato tu? Accedi prima di quel giorno: l’eliminazione sarà annullata.',
      ],
      sms: 'Candor: il tuo conto sarà eliminato il {date}. Accedi prima per annullare.',
    },
    'account-frozen': {
      subject: 'Il tuo conto è bloccato',
      body: [
        'Il tuo conto è stato bloccato: tutte le sessioni sono chiuse, nessuno può accedere, le chiavi API sono rifiutate e gli ordini aperti annullati. Le posizioni aperte seguono sempre le regole del mercato.',
        'Dispositivo: {device}\nIndirizzo IP: {ip}\nOra: {time}',
        'Per usarlo di nuovo, scrivi all’assistenza. Due persone del nostro team verificano che sei tu.',
      ],
      sms: 'Candor: il tuo conto è bloccato, {time}. Nessuno può accedere. Per usarlo di nuovo, scrivi all’assistenza.',
    },
    'frozen-note': {
      subject: 'La password non può essere reimpostata: il conto è bloccato',
      body: [
        'Qualcuno, probabilmente tu, ha chiesto di reimpostare la password del tuo conto. Il conto è bloccato, quindi non è cambiato nulla.',
        'Per usarlo di nuovo, scrivi all’assistenza. Due persone del nostro team verificano che sei tu.',
      ],
      sms: 'Candor: il tuo conto è bloccato e la password non può essere reimpostata. Scrivi all’assistenza.',
    },
    'account-unfrozen': {
      subject: 'Il tuo conto è di nuovo aperto',
      body: [
        'Il tuo conto non è più bloccato. Puoi accedere come prima e le tue chiavi API valgono di nuovo.',
        'Controlla le chiavi, gli indirizzi e la cronologia degli accessi. Se non l’hai chiesto tu, blocca di nuovo il conto e scrivi all’assistenza.',
      ],
      sms: 'Candor: il tuo conto non è più bloccato, puoi accedere di nuovo. Non sei stato tu? Scrivi all’assistenza.',
    },
    'regain-code': {
      subject: '{code} è il tuo codice per riavere l’accesso',
      body: [
        'Qualcuno ha inserito la tua password e ha chiesto l’accesso senza il tuo secondo fattore. Inserisci questo codice per continuare:',
        '{code}',
        'È valido per {minutes} minuti.',
        'Dispositivo: {device}\nIndirizzo IP: {ip}\nOra: {time}',
        'Se non sei stato tu, qualcuno conosce la tua password: cambiala subito e non dare il codice a nessuno.',
      ],
      sms: '{code} è il tuo codice Candor per accedere senza secondo fattore. Non sei stato tu? Cambia subito la password. Non darlo a nessuno.',
    },
    'regain-begun': {
      subject: 'Qualcuno chiede l’accesso senza il tuo secondo fattore',
      body: [
        'Qualcuno che conosce la tua password e legge questa casella o questo telefono ha chiesto l’accesso al tuo conto senza il tuo secondo fattore.',
        'Dispositivo: {device}\nIndirizzo IP: {ip}\nOra: {time}',
        'Lo otterrà non prima del {until}, a meno che tu non lo fermi. Se sei stato tu, non devi fare nulla.',
        'Se non sei stato tu, accedi con il tuo secondo fattore: la richiesta si ferma. Oppure blocca il conto.',
      ],
      sms: 'Candor: chiesto l’accesso senza secondo fattore, dal {until}. Non sei stato tu? Accedi con il secondo fattore o blocca il conto.',
    },
    'regain-link': {
      subject: 'Il tuo link per riavere l’accesso',
      body: [
        'L’attesa è finita. Apri questo link entro {hours} ore e imposta una nuova password; i secondi fattori persi verranno rimossi:',
        '{link}',
        'Il link funziona una volta. Non darlo a nessuno. Poi tutte le sessioni si chiudono e per 24 ore nessun prelievo lascia il tuo conto.',
      ],
      sms: 'Candor: apri {link} entro {hours} ore per riavere l’accesso. Non inoltrarlo a nessuno.',
    },
    'regain-rejected': {
      subject: 'La tua richiesta di accesso è stata respinta',
      body: [
        'Il documento inviato non corrisponde a quello con cui il tuo conto è stato verificato, quindi i secondi fattori restano come sono.',
        'Accedi e riprova con foto dello stesso documento, oppure scrivi all’assistenza.',
      ],
      sms: 'Candor: la tua richiesta di accesso è respinta, il documento non corrisponde. Riprova con il documento verificato o scrivi all’assistenza.',
    },
    regained: {
      subject: 'I tuoi secondi fattori sono stati rimossi',
      body: [
        'Il tuo conto è stato riaperto con una nuova password, senza i suoi secondi fattori. Tutte le sessioni sono chiuse.',
        'Dispositivo: {device}\nIndirizzo IP: {ip}\nOra: {time}',
        'Accedi e aggiungi subito una passkey o un’app di autenticazione. Se non sei stato tu, scrivi all’assistenza.',
      ],
      sms: 'Candor: password nuova e secondi fattori rimossi, {time}. Aggiungine subito uno. Non sei stato tu? Scrivi all’assistenza.',
    },
    'allow-list-on': {
      subject: 'Il tuo blocco indirizzi è attivo',
      body: [
        'Ora nessuno può aggiungere un indirizzo di prelievo al tuo conto. I prelievi vanno solo agli indirizzi della sua lista.',
        'Dispositivo: {device}\nIndirizzo IP: {ip}\nOra: {time}',
      ],
      sms: 'Candor: il tuo blocco indirizzi è attivo, {time}.',
    },
    'allow-list-ending': {
      subject: 'Il tuo blocco indirizzi sta per essere disattivato',
      body: [
        'Qualcuno ha chiesto di disattivare il tuo blocco indirizzi. Vale fino al {until}; dopo si potranno aggiungere di nuovo indirizzi di prelievo, e ognuno aspetta 24 ore.',
        'Dispositivo: {device}\nIndirizzo IP: {ip}\nOra: {time}',
        'Se non sei stato tu, mantieni il blocco nel centro sicurezza e cambia subito la password.',
      ],
      sms: 'Candor: il tuo blocco indirizzi finisce il {until}. Non sei stato tu? Mantienilo nel centro sicurezza e cambia subito la password.',
    },
    'withdrawal-address-added': {
      subject: 'È stato aggiunto un indirizzo di prelievo',
      body: [
        'I prelievi dal tuo conto potranno andare a questo indirizzo {network} dal {until}:',
        '{destination}',
        'Dispositivo: {device}\nIndirizzo IP: {ip}\nOra: {time}',
        'Se non sei stato tu, qualcuno è entrato nel tuo conto: bloccalo subito.',
      ],
      sms: 'Candor: aggiunto l’indirizzo di prelievo {network} {destination}, utilizzabile dal {until}.',
    },
    'withdrawal-address-removed': {
      subject: 'È stato rimosso un indirizzo di prelievo',
      body: [
        'Nessun prelievo dal tuo conto andrà più a questo indirizzo {network}:',
        '{destination}',
        'Dispositivo: {device}\nIndirizzo IP: {ip}\nOra: {time}',
        'Se non sei stato tu, cambia subito la password.',
      ],
      sms: 'Candor: rimosso l’indirizzo di prelievo {network} {destination}, {time}. Non sei stato tu? Cambia la password.',
    },
    'withdrawal-requested': {
      subject: 'È stato richiesto un prelievo',
      body: [
        'È stato richiesto un prelievo di {quantity} {asset} dal tuo conto. A questo indirizzo {network} arriveranno {received} {asset}:',
        '{destination}',
        'Ora: {time}',
        'Se non sei stato tu, blocca subito il conto. Finché il prelievo è in verifica, questo lo ferma.',
      ],
      sms: 'Candor: prelievo di {quantity} {asset} verso {network} {destination} richiesto. Non sei stato tu? Blocca subito il conto.',
    },
    'withdrawal-approved': {
      subject: 'Il tuo prelievo è stato approvato',
      body: [
        'Il tuo prelievo di {quantity} {asset} è stato approvato e sarà inviato a questo indirizzo {network}:',
        '{destination}',
        'Ora: {time}',
      ],
      sms: 'Candor: il tuo prelievo di {quantity} {asset} è stato approvato, {time}.',
    },
    'withdrawal-rejected': {
      subject: 'Il tuo prelievo è stato rifiutato',
      body: [
        'Il tuo prelievo di {quantity} {asset} è stato rifiutato. L’importo è di nuovo disponibile.',
        'Motivo: {reason}',
        'Ora: {time}',
        'Se hai domande, scrivi all’assistenza.',
      ],
      sms: 'Candor: il tuo prelievo di {quantity} {asset} è stato rifiutato, {time}. L’app mostra il motivo.',
    },
    'withdrawal-paid': {
      subject: 'Il tuo prelievo è stato pagato',
      body: ['{received} {asset} sono arrivati a questo indirizzo {network}:', '{destination}', 'Transazione:\n{txid}', 'Ora: {time}'],
      sms: 'Candor: il tuo prelievo di {quantity} {asset} è stato pagato, {time}. L’app mostra la transazione.',
    },
    'withdrawal-failed': {
      subject: 'Il tuo prelievo non è riuscito',
      body: [
        'Non è stato possibile pagare il tuo prelievo di {quantity} {asset} sulla rete {network}. L’importo è di nuovo disponibile.',
        'Ora: {time}',
        'Dal tuo conto non è uscito nulla. Puoi richiedere di nuovo il prelievo.',
      ],
      sms: 'Candor: il tuo prelievo di {quantity} {asset} non è riuscito, {time}. L’importo è di nuovo disponibile.',
    },
    'deposit-credited': {
      subject: 'È stato accreditato un deposito',
      body: [
        '{quantity} {asset} da {network} sono stati accreditati sul tuo conto Spot.',
        'Ora: {time}',
        'Puoi usarli per comprare e vendere. L’app mostra da quando si possono prelevare.',
      ],
      sms: 'Candor: {quantity} {asset} da {network} sono stati accreditati, {time}.',
    },
    'deposit-repaid': {
      subject: 'Un deposito ha ripagato il tuo debito',
      body: [
        'Sono arrivati {quantity} {asset} da {network}. Di questi, {repaid} {asset} hanno ripagato il debito per un deposito annullato dalla sua rete. Devi ancora {debt} {asset}.',
        'Ora: {time}',
      ],
      sms: 'Candor: {repaid} {asset} di un deposito hanno ripagato il tuo debito, {time}.',
    },
    'deposit-final': {
      subject: 'Un deposito si può prelevare',
      body: ['Il tuo deposito di {quantity} {asset} da {network} è definitivo. Ora si può prelevare.', 'Ora: {time}'],
      sms: 'Candor: il tuo deposito di {quantity} {asset} ora si può prelevare, {time}.',
    },
    'deposit-small': {
      subject: 'Un deposito è sotto il minimo',
      body: [
        'Sono arrivati {quantity} {asset} da {network}. I depositi su questa rete vengono accreditati quando insieme raggiungono {min} {asset}. Mancano ancora {missing} {asset}.',
        'Ora: {time}',
        'Ciò che è arrivato resta tuo e conta con i tuoi prossimi depositi.',
      ],
      sms: 'Candor: un deposito di {quantity} {asset} è in attesa; mancano {missing} {asset} al minimo.',
    },
    'deposit-dropped': {
      subject: 'Un deposito è stato stornato',
      body: [
        'La rete {network} ha annullato il blocco del tuo deposito di {quantity} {asset}, che è stato quindi stornato dal tuo conto Spot.',
        'Ora: {time}',
        'Se la rete riprende il pagamento, viene accreditato di nuovo.',
      ],
      sms: 'Candor: la rete ha annullato il tuo deposito di {quantity} {asset}, che è stato stornato, {time}.',
    },
    'deposit-debt': {
      subject: 'Devi un deposito annullato dalla sua rete',
      body: [
        'La rete {network} ha annullato il blocco del tuo deposito di {quantity} {asset}. Il tuo conto Spot non lo aveva più per intero, quindi devi {debt} {asset}.',
        'Ora: {time}',
        'Finché il debito non è ripagato, non si accettano prelievi. I tuoi prossimi depositi di {asset} lo ripagano per primi, oppure lo ripaghi dal conto Spot nell’app.',
      ],
      sms: 'Candor: la rete ha annullato il tuo deposito di {quantity} {asset}. Devi {debt} {asset}; finché non è ripagato, non si accettano prelievi.',
    },
    'rest-begun': {
      subject: 'È iniziata una pausa del tuo conto',
      body: [
        'Fino al {until} il tuo conto non accetta nulla che apra un rischio: nessuna nuova posizione, prestito o ordine Second, e nessun acquisto con USDT. Chiudere, vendere in USDT e prelevare resta possibile.',
        'Nessuno può terminare prima una pausa, né tu né la piattaforma. La pagina “I tuoi limiti” nell’app mostra perché è iniziata.',
      ],
      sms: 'Candor: è iniziata una pausa del tuo conto, fino al {until}.',
    },
    'papers-verified': {
      subject: 'La tua identità è verificata',
      body: ['La tua identità è verificata. Ora puoi usare Futures, Margine, Second e i prestiti.'],
      sms: 'Candor: la tua identità è verificata.',
    },
    'papers-rejected': {
      subject: 'La verifica dell’identità va corretta',
      body: [
        'Non abbiamo ancora potuto verificare la tua identità. Apri «Verifica dell’identità» nell’app: dice che cosa manca e perché.',
        'Devi inviare di nuovo solo le parti indicate.',
      ],
      sms: 'Candor: la verifica dell’identità va corretta. L’app dice che cosa manca.',
    },
    'papers-revoked': {
      subject: 'La verifica della tua identità è stata revocata',
      body: [
        'La tua identità non è più verificata. Futures, Margine, Second e i prestiti sono chiusi ai nuovi ordini; ciò che è aperto si può chiudere, e i tuoi fondi restano tuoi.',
        'Apri «Verifica dell’identità» nell’app per verificarti di nuovo, o scrivi all’assistenza.',
      ],
      sms: 'Candor: la verifica della tua identità è stata revocata. Apri l’app per verificarti di nuovo.',
    },
    'login-failed': {
      subject: 'Accessi falliti al tuo conto',
      body: [
        'Qualcuno ha inserito più volte una password sbagliata per il tuo conto. Questo è stato l’ultimo tentativo:',
        'Dispositivo: {device}\nIndirizzo IP: {ip}\nOra: {time}',
        'Se sei stato tu, non devi fare nulla. Altrimenti aggiungi un secondo fattore nel centro sicurezza dell’app: così la sola password non basta.',
      ],
      sms: 'Candor: più password sbagliate per il tuo conto, l’ultima da {ip}, {time}. Non sei stato tu? Aggiungi un secondo fattore.',
    },
    'recovery-used': {
      subject: 'È stato usato un codice di recupero',
      body: [
        'Al posto del secondo fattore è stato usato un codice di recupero del tuo conto.',
        'Dispositivo: {device}\nIndirizzo IP: {ip}\nOra: {time}',
        'Se non sei stato tu, reimposta subito la password e scrivi all’assistenza.',
      ],
      sms: 'Candor: usato un codice di recupero, {time}. Non sei stato tu? Reimposta la password e scrivi all’assistenza.',
    },
    'key-used': {
      subject: 'Una chiave API è stata usata per la prima volta',
      body: [
        'La chiave API «{label}» del tuo conto è stata usata per la prima volta.',
        'Indirizzo IP: {ip}\nOra: {time}',
        'Se non sei stato tu, elimina la chiave nell’app e cambia subito la password.',
      ],
      sms: 'Candor: primo uso di una chiave API, da {ip}, {time}. Non sei stato tu? Eliminala e cambia la password.',
    },
    'rest-ended': {
      subject: 'La tua pausa è finita',
      body: [
        'La tua pausa è finita. I tuoi limiti restano come sono.',
        'Se vuoi continuare la pausa, puoi iniziarne un’altra nell’app, nel tuo profilo.',
      ],
      sms: 'Candor: la tua pausa è finita. I tuoi limiti restano come sono.',
    },
    'support-answered': {
      subject: 'L’assistenza ti ha risposto',
      body: [
        'L’assistenza ha risposto alla tua richiesta {ticket}.',
        'Ora: {time}',
        'Leggi la risposta nell’app, in «Assistenza». Il nostro staff non chiede mai la password, un codice o la password di pagamento.',
      ],
      sms: 'Candor: l’assistenza ha risposto alla tua richiesta {ticket}. Leggi la risposta nell’app.',
    },
    'firm-waiting': {
      subject: 'Una richiesta della tua azienda ti aspetta',
      body: [
        'La richiesta {number} di {firm} aspetta la tua approvazione.',
        'Ora: {time}',
        'Guardala nell’app in «Conti aziendali» e approvala solo se sai a che cosa serve.',
      ],
      sms: 'Candor: La richiesta {number} di {firm} aspetta la tua approvazione.',
    },
    'firm-decided': {
      subject: 'Una richiesta della tua azienda è stata decisa',
      body: ['Richiesta {number} di {firm}: guarda com’è andata.', 'Ora: {time}', 'Leggi nell’app, in «Conti aziendali», com’è andata.'],
      sms: 'Candor: Richiesta {number} di {firm}: guarda com’è andata.',
    },
    'firm-invited': {
      subject: 'Un’azienda ti invita',
      body: [
        '{firm} ti invita a diventare membro.',
        'Ora: {time}',
        'Leggi nell’app, in «Conti aziendali», quale ruolo ti offre, e accetta solo se conosci l’azienda.',
      ],
      sms: 'Candor: {firm} ti invita a diventare membro.',
    },
    'firm-changed': {
      subject: 'Il tuo ruolo in un’azienda è cambiato',
      body: [
        'Il tuo ruolo o i tuoi conti in {firm} sono stati modificati.',
        'Ora: {time}',
        'Leggi nell’app, in «Conti aziendali», che cosa puoi fare adesso. Le chiavi API che hai creato per i suoi conti potrebbero non essere più valide.',
      ],
      sms: 'Candor: Il tuo ruolo o i tuoi conti in {firm} sono stati modificati.',
    },
    'firm-ended': {
      subject: 'Il tuo ruolo in un’azienda è finito',
      body: [
        'La tua partecipazione a {firm}, o il tuo invito, è terminata.',
        'Ora: {time}',
        'Non usi più i conti dell’azienda. Il tuo conto personale resta com’è.',
      ],
      sms: 'Candor: La tua partecipazione a {firm}, o il tuo invito, è terminata.',
    },
    'firm-answered': {
      subject: 'La tua domanda per un’azienda è stata decisa',
      body: ['L’exchange ha deciso sulla tua domanda per {firm}.', 'Ora: {time}', 'Leggi la decisione nell’app, in «Conti aziendali».'],
      sms: 'Candor: L’exchange ha deciso sulla tua domanda per {firm}.',
    },
    'funds-posted': {
      subject: 'Il tuo saldo è stato rettificato',
      body: [
        'Candor ha registrato una rettifica sul tuo conto. Due membri dello staff l’hanno decisa indicandone il motivo.',
        'Ora: {time}',
        'L’app mostra l’importo nello storico degli asset. Se non te l’aspettavi, scrivi all’assistenza.',
      ],
      sms: 'Candor: il tuo saldo è stato rettificato, {time}. L’app mostra l’importo.',
    },
    'limit-raised': {
      subject: 'Uno dei tuoi limiti è stato alzato o rimosso',
      body: [
        'Hai confermato, dopo il periodo di attesa, di alzare o rimuovere uno dei tuoi limiti. Vale da adesso.',
        'Puoi abbassarlo di nuovo in qualsiasi momento, con effetto immediato. Se non sei stato tu, blocca subito il conto.',
      ],
      sms: 'Candor: uno dei tuoi limiti è stato alzato o rimosso. Non sei stato tu? Blocca subito il conto.',
    },
    'futures-warning': {
      subject: 'Una posizione Futures è vicina alla liquidazione',
      body: [
        'Una posizione del tuo conto Futures è vicina alla liquidazione.',
        'Ora: {time}',
        'Apri l’app per aggiungere margine o ridurre la posizione. Se il prezzo mark si muove ancora contro di essa, verrà chiusa.',
      ],
      sms: 'Candor: una posizione Futures è vicina alla liquidazione, {time}. Aggiungi margine o riducila nell’app.',
    },
    'futures-liquidated': {
      subject: 'Una posizione Futures è in liquidazione',
      body: [
        'Il margine di una tua posizione Futures non la copre più: la posizione viene chiusa, in parte o del tutto.',
        'Ora: {time}',
        'L’app mostra ogni passo, con i prezzi che l’hanno deciso.',
      ],
      sms: 'Candor: una posizione Futures è in liquidazione, {time}. L’app mostra ogni passo.',
    },
    'futures-deleveraged': {
      subject: 'Una posizione Futures è stata ridotta automaticamente',
      body: [
        'La posizione Futures di un altro cliente non si è potuta chiudere sul mercato. La tua, di segno opposto, è stata chiusa allo stesso prezzo, in parte o del tutto: è l’auto-deleveraging.',
        'Ora: {time}',
        'L’app mostra il prezzo e ciò che resta della posizione.',
      ],
      sms: 'Candor: una posizione Futures è stata ridotta automaticamente, {time}. I dettagli sono nell’app.',
    },
    'margin-warning': {
      subject: 'Un conto Margine è vicino alla liquidazione',
      body: [
        'Il livello di un tuo conto Margine è basso.',
        'Ora: {time}',
        'Apri l’app per rimborsare o aggiungere attività. Se il livello scende ancora, le attività verranno vendute per rimborsare il debito.',
      ],
      sms: 'Candor: un conto Margine è vicino alla liquidazione, {time}. Rimborsa o aggiungi attività nell’app.',
    },
    'margin-liquidated': {
      subject: 'Un conto Margine è in liquidazione',
      body: [
        'Il livello di un tuo conto Margine è sceso sotto il limite: le attività vengono vendute per rimborsare il debito.',
        'Ora: {time}',
        'L’app mostra ogni passo, con i prezzi che l’hanno deciso.',
      ],
      sms: 'Candor: un conto Margine è in liquidazione, {time}. L’app mostra ogni passo.',
    },
    'price-alert': {
      subject: 'Un avviso di prezzo è stato raggiunto',
      body: [
        '{symbol} ha raggiunto il tuo avviso di prezzo: {reached}.',
        'Ora: {time}',
        'Gli avvisi si gestiscono nell’app. Non sono un consiglio di investimento.',
      ],
      sms: 'Candor: {symbol} ha raggiunto il tuo avviso di prezzo: {reached}, {time}.',
    },
    'second-settled': {
      subject: 'Un ordine Second è stato regolato',
      body: ['Un tuo ordine Second è stato regolato.', 'Ora: {time}', 'L’app mostra il risultato e come verificarlo.'],
      sms: 'Candor: un ordine Second è stato regolato, {time}.',
    },
    'order-filled': {
      subject: 'Un ordine è stato eseguito',
      body: ['Un tuo ordine è stato eseguito per intero.', 'Ora: {time}', 'L’app mostra il prezzo e le commissioni.'],
      sms: 'Candor: un ordine è stato eseguito, {time}.',
    },
    'order-cut': {
      subject: 'Un ordine è stato eseguito in parte',
      body: [
        'Un tuo ordine è stato eseguito in parte e il resto è stato annullato.',
        'Ora: {time}',
        'L’app mostra il prezzo e le commissioni.',
      ],
      sms: 'Candor: un ordine è stato eseguito in parte, {time}.',
    },
    'algo-ended': {
      subject: 'Un ordine TWAP o scaglionato è terminato',
      body: ['Un tuo ordine TWAP o scaglionato è terminato.', 'Ora: {time}', 'L’app mostra quanto ha acquistato o venduto e il motivo.'],
      sms: 'Candor: un ordine TWAP o scaglionato è terminato, {time}.',
    },
    'order-ended': {
      subject: 'Un ordine è terminato senza essere eseguito',
      body: ['Un tuo ordine è terminato prima di essere eseguito.', 'Ora: {time}', 'L’app mostra il motivo.'],
      sms: 'Candor: un ordine è terminato senza essere eseguito, {time}.',
    },
    'coins-moved': {
      subject: 'Un trasferimento tra conti è stato eseguito',
      body: [
        'È stato eseguito un trasferimento tra i tuoi conti o tra conti della tua azienda.',
        'Ora: {time}',
        'L’app mostra la moneta e l’importo.',
      ],
      sms: 'Candor: un trasferimento tra conti è stato eseguito, {time}.',
    },
    'loan-taken': {
      subject: 'È stato aperto un prestito',
      body: ['Su uno dei tuoi conti di margine è stato aperto un prestito.', 'Ora: {time}', 'L’app mostra la moneta e l’importo.'],
      sms: 'Candor: è stato aperto un prestito, {time}.',
    },
    'loan-repaid': {
      subject: 'Un prestito è stato rimborsato',
      body: [
        'Un prestito su uno dei tuoi conti di margine è stato rimborsato, in tutto o in parte.',
        'Ora: {time}',
        'L’app mostra la moneta e l’importo.',
      ],
      sms: 'Candor: un prestito è stato rimborsato, {time}.',
    },
    'signal-refused': {
      subject: 'Un segnale è stato rifiutato',
      body: [
        'Un avviso per una delle tue chiavi API non ha inserito alcun ordine.',
        'Ora: {time}',
        'Il registro dei segnali nell’app indica il motivo.',
      ],
      sms: 'Candor: un segnale è stato rifiutato, {time}.',
    },
    'staff-enrolment': {
      subject: 'Configura il tuo account del personale',
      body: [
        'Apri questo link per scegliere una password e una passkey per il tuo account del personale:',
        '{link}',
        'Funziona una volta sola, entro 24 ore, ed è solo per te: non darlo a nessuno, nemmeno a un collega.',
        'Se non lo aspettavi, non aprirlo e avvisa i tuoi amministratori.',
      ],
      sms: 'Candor: configura il tuo account del personale con {link}, una volta, entro 24 ore.',
    },
    'staff-address': {
      subject: 'L’indirizzo del tuo account del personale è cambiato',
      body: [
        'Da ora le e-mail per il tuo account del personale vanno a un altro indirizzo.',
        'Ora: {time}',
        'Se non l’hai chiesto, avvisa subito i tuoi amministratori.',
      ],
      sms: 'Candor: l’indirizzo del tuo account del personale è cambiato, {time}. Non sei stato tu? Avvisa gli amministratori.',
    },
    'staff-login': {
      subject: 'L’accesso al tuo account del personale è cambiato',
      body: [
        'Una passkey, l’app di autenticazione o la password del tuo account del personale è cambiata.',
        'Dispositivo: {device}\nIndirizzo IP: {ip}\nOra: {time}',
        'Se non sei stato tu, avvisa subito i tuoi amministratori: una nuova configurazione chiude tutte le sessioni.',
      ],
      sms: 'Candor: l’accesso al tuo account del personale è cambiato, {time}. Non sei stato tu? Avvisa gli amministratori.',
    },
    'webhook-created': {
      subject: 'Un webhook è stato aggiunto al tuo conto',
      body: [
        'Da ora gli eventi del tuo conto vengono inviati a questo URL:',
        '{url}',
        'Dispositivo: {device}\nIndirizzo IP: {ip}\nOra: {time}',
        'Se non sei stato tu, elimina il webhook nell’app e cambia subito la password.',
      ],
      sms: 'Candor: un webhook è stato aggiunto al tuo conto, {time}. Non sei stato tu? Eliminalo e cambia la password.',
    },
    'webhook-off': {
      subject: 'Un webhook è stato disattivato',
      body: [
        'Gli invii a uno dei tuoi webhook falliscono da {time}, perciò è stato disattivato:',
        '{url}',
        'Quando il tuo server funzionerà di nuovo, riattiva il webhook nell’app e invia di nuovo gli eventi persi. Ordini e saldi non cambiano.',
      ],
      sms: 'Candor: uno dei tuoi webhook è stato disattivato: gli invii falliscono da {time}.',
    },
    'account-exists': {
      subject: 'Hai già un conto',
      body: [
        'Qualcuno, probabilmente tu, ha provato a registrarsi con questo indirizzo. Esiste già un conto, quindi non ne viene aperto un altro.',
        'Accedi come al solito. Se hai dimenticato la password, scegli «Password dimenticata?» nella pagina di accesso.',
      ],
      sms: 'Candor: questo numero ha già un conto. Accedi oppure scegli «Password dimenticata?».',
    },
  },
}
