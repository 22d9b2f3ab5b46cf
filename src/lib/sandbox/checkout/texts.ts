/** Every text of the checkout page in its three languages. */

export const languages = ['EN', 'KA', 'IT'] as const

export type Language = (typeof languages)[number]

export const languageNames: Readonly<Record<Language, string>> = { EN: 'English', KA: 'ქართული', IT: 'Italiano' }

/** In the order of the languages. */
export const texts = {
  sandbox: [
    'Sandbox: no real money',
    'სატესტო გარემო: ნამდვილი თანხა არ ჩამოიჭრება',
    'Ambiente di prova: nessun addebito reale',
  ],
  language: ['Language', 'ენა', 'Lingua'],
  payment: ['Payment', 'გადახდა', 'Pagamento'],
  error: ['Error', 'შეცდომა', 'Errore'],
  recipient: ['Recipient', 'მიმღები', 'Beneficiario'],
  order: ['Order', 'შეკვეთა', 'Ordine'],
  charged: ['To be charged', 'ჩამოსაჭრელი თანხა', 'Addebito'],
  wasCharged: ['Charged', 'ჩამოჭრილი თანხა', 'Addebitato'],
  withBoth: ['commission and exchange included', 'საკომისიოსა და კონვერტაციის ჩათვლით', 'commissione e cambio inclusi'],
  withCommission: ['commission included', 'საკომისიოს ჩათვლით', 'commissione inclusa'],
  withExchange: ['exchange included', 'კონვერტაციის ჩათვლით', 'cambio incluso'],
  split: ['Divided among', 'თანხა ნაწილდება', 'Suddiviso tra'],
  account: ['Account', 'ანგარიში', 'Conto'],
  payUntil: ['To be paid by {time}', 'გადახდის ვადა: {time}', 'Da pagare entro: {time}'],
  everyMonth: ['every month', 'ყოველთვიურად', 'ogni mese'],
  everyMonths: ['every {n} months', 'ყოველ {n} თვეში', 'ogni {n} mesi'],
  everyWeek: ['every week', 'ყოველკვირეულად', 'ogni settimana'],
  everyWeeks: ['every {n} weeks', 'ყოველ {n} კვირაში', 'ogni {n} settimane'],
  firstNow: ['the first at once', 'პირველი დაუყოვნებლივ', 'il primo subito'],
  firstOn: ['the first on {day}', 'პირველი: {day}', 'il primo il {day}'],
  planSaves: [
    'Your card is saved and charged by this plan.',
    'თქვენი ბარათი შეინახება და თანხა ამ გეგმის მიხედვით ჩამოიჭრება.',
    'La carta viene salvata e addebitata secondo questo piano.',
  ],
  tip: ['Tip', 'თიფი', 'Mancia'],
  tipFor: ['For {name}, if you like', 'მიმღები: {name}. სურვილისამებრ', 'Per {name}, facoltativa'],
  method: ['Payment method', 'გადახდის მეთოდი', 'Metodo di pagamento'],
  card: ['Card', 'ბარათი', 'Carta'],
  savedCard: ['Saved card', 'შენახული ბარათი', 'Carta salvata'],
  openBanking: ['Bank account', 'საბანკო ანგარიში', 'Conto bancario'],
  crypto: ['Cryptocurrency', 'კრიპტოვალუტა', 'Criptovaluta'],
  installment: ['Instalments', 'განვადება', 'A rate'],
  bank: ['Bank', 'ბანკი', 'Banca'],
  number: ['Card number', 'ბარათის ნომერი', 'Numero della carta'],
  expiry: ['Valid until', 'ვადა', 'Scadenza'],
  cvv: ['Security code', 'CVV კოდი', 'Codice CVV'],
  keepCard: [
    'Save this card for later payments',
    'ბარათის შენახვა შემდეგი გადახდებისთვის',
    'Salva la carta per i prossimi pagamenti',
  ],
  drawer: ['Sandbox', 'სატესტო გარემო', 'Ambiente di prova'],
  time: ['Time', 'დრო', 'Ora'],
  noTip: ['No tip', 'თიფის გარეშე', 'Nessuna mancia'],
  expiryForm: ['MM/YY', 'თთ/წწ', 'MM/AA'],
  sumChanged: [
    'The sum is {sum} now. Pay if you agree.',
    'თანხა ახლა არის {sum}. თუ თანახმა ხართ, გადაიხადეთ.',
    'L’importo ora è {sum}. Paga se sei d’accordo.',
  ],
  testCards: ['Test cards', 'სატესტო ბარათები', 'Carte di prova'],
  testCardsHelp: [
    'Choose one to fill in the form. Any security code will do.',
    'აირჩიეთ ბარათი და ველები შეივსება. CVV კოდი შეიძლება იყოს ნებისმიერი.',
    'Scegline una per compilare i campi. Qualsiasi codice CVV va bene.',
  ],
  'card-approved': ['is approved', 'დადასტურდება', 'viene accettata'],
  'card-declined': ['is declined', 'ბანკი უარყოფს', 'viene rifiutata'],
  'card-second-step': ['asks for a code', 'მოითხოვს კოდს', 'chiede un codice'],
  'card-expired': ['has expired', 'ვადა გასულია', 'è scaduta'],
  'card-insufficient': ['has too little money', 'თანხა არ არის საკმარისი', 'ha fondi insufficienti'],
  'card-declined-when-saved': [
    'is approved now, declined once saved',
    'ახლა დადასტურდება, შენახვის შემდეგ კი – არა',
    'viene accettata ora, rifiutata una volta salvata',
  ],
  filled: ['Filled in: {card}', 'შეივსო: {card}', 'Compilato: {card}'],
  validUntil: ['valid until {date}', 'ვადა: {date}', 'scade {date}'],
  savedHelp: [
    'The sandbox does not know its payers: these are the newest cards of the shop.',
    'სატესტო გარემო გადამხდელებს ვერ ცნობს: ეს მაღაზიის ბოლო ბარათებია.',
    'L’ambiente di prova non riconosce chi paga: queste sono le ultime carte del negozio.',
  ],
  paySum: ['Pay {sum}', 'გადახდა: {sum}', 'Paga {sum}'],
  payPlan: ['Save card and subscribe', 'ბარათის შენახვა და გამოწერა', 'Salva la carta e abbonati'],
  payPlanNow: ['Pay {sum} and subscribe', 'გადახდა და გამოწერა: {sum}', 'Paga {sum} e abbonati'],
  continueTo: ['Continue with {provider}', 'გაგრძელება: {provider}', 'Continua con {provider}'],
  continue: ['Continue', 'გაგრძელება', 'Continua'],
  confirm: ['Confirm', 'დადასტურება', 'Conferma'],
  decline: ['Decline', 'უარყოფა', 'Rifiuta'],
  atProvider: ['Confirm the payment', 'დაადასტურეთ გადახდა', 'Conferma il pagamento'],
  atProviderHelp: [
    'This page plays {provider}.',
    'ეს გვერდი ასრულებს {provider}-ის როლს.',
    'Questa pagina fa la parte di {provider}.',
  ],
  codeTitle: ['Confirm with a code', 'დაადასტურეთ კოდით', 'Conferma con un codice'],
  codeHelp: [
    'Your bank would send you a code now. In the sandbox any six digits will do.',
    'ამ დროს ბანკი კოდს გამოგიგზავნიდათ. სატესტო გარემოში შეიყვანეთ ნებისმიერი ექვსი ციფრი.',
    'A questo punto la banca invierebbe un codice. Qui vanno bene sei cifre qualsiasi.',
  ],
  code: ['Code', 'კოდი', 'Codice'],
  wrongNumber: [
    'Enter the number of a test card',
    'შეიყვანეთ სატესტო ბარათის ნომერი',
    'Inserire il numero di una carta di prova',
  ],
  wrongExpiry: ['Enter month and year as MM/YY', 'შეიყვანეთ თვე და წელი: თთ/წწ', 'Inserire mese e anno come MM/AA'],
  otherExpiry: ['This card says {date}', 'ამ ბარათზე წერია {date}', 'Su questa carta è scritto {date}'],
  wrongCvv: ['Enter {n} digits', 'შეიყვანეთ {n} ციფრი', 'Inserire {n} cifre'],
  wrongTip: ['Enter an amount like 1.50', 'შეიყვანეთ თანხა, მაგალითად 1.50', 'Inserire un importo, per esempio 1.50'],
  wrongCode: ['Enter six digits', 'შეიყვანეთ ექვსი ციფრი', 'Inserire sei cifre'],
  wrongChoice: ['Choose one', 'აირჩიეთ ერთ-ერთი', 'Scegliere una voce'],
  wrongIdentity: ['Enter 9 or 11 digits', 'შეიყვანეთ 9 ან 11 ციფრი', 'Inserire 9 o 11 cifre'],
  empty: ['Fill in this field', 'შეავსეთ ეს ველი', 'Compilare questo campo'],
  wrongValue: ['This is not accepted', 'ეს მნიშვნელობა მიუღებელია', 'Questo valore non è accettato'],
  yes: ['Yes', 'დიახ', 'Sì'],
  no: ['No', 'არა', 'No'],
  paid: ['Paid', 'გადახდილია', 'Pagato'],
  paidText: ['The payment was successful.', 'გადახდა წარმატებით შესრულდა.', 'Il pagamento è riuscito.'],
  held: ['Amount blocked', 'თანხა დაბლოკილია', 'Importo bloccato'],
  heldText: [
    'The amount is blocked on your card until the recipient takes it.',
    'თანხა თქვენს ბარათზე დაბლოკილია, სანამ მიმღები ჩამოჭრას დაადასტურებს.',
    'L’importo è bloccato sulla carta finché il beneficiario non lo incassa.',
  ],
  failed: ['Not paid', 'გადახდა ვერ შესრულდა', 'Pagamento non riuscito'],
  canceled: ['Order cancelled', 'შეკვეთა გაუქმებულია', 'Ordine annullato'],
  expired: ['The time is over', 'გადახდის ვადა გავიდა', 'Tempo scaduto'],
  nothingTaken: ['Nothing was taken.', 'თანხა არ ჩამოჭრილა.', 'Nessun importo è stato addebitato.'],
  refunded: ['Refunded', 'თანხა დაბრუნებულია', 'Rimborsato'],
  partlyRefunded: ['Partly refunded', 'თანხა ნაწილობრივ დაბრუნებულია', 'Rimborsato in parte'],
  refunding: ['Refund on its way', 'თანხის დაბრუნება მიმდინარეობს', 'Rimborso in corso'],
  processing: ['The payment is under way', 'გადახდა მიმდინარეობს', 'Pagamento in corso'],
  processingText: [
    'This page looks again by itself.',
    'ეს გვერდი თავისით განახლდება.',
    'Questa pagina si aggiorna da sola.',
  ],
  reload: ['Look again', 'განახლება', 'Aggiorna'],
  'declined by the bank': [
    'The bank declined the payment.',
    'ბანკმა გადახდა უარყო.',
    'La banca ha rifiutato il pagamento.',
  ],
  'the card has expired': ['The card has expired.', 'ბარათს ვადა გაუვიდა.', 'La carta è scaduta.'],
  'insufficient funds': [
    'There is too little money on the card.',
    'ბარათზე საკმარისი თანხა არ არის.',
    'Fondi insufficienti sulla carta.',
  ],
  'declined by the payer': [
    'The payment was declined by you.',
    'გადახდაზე უარი თქვით.',
    'Il pagamento è stato rifiutato da chi paga.',
  ],
  'not confirmed in time': [
    'The payment was not confirmed in time.',
    'გადახდა დროულად არ დადასტურდა.',
    'Il pagamento non è stato confermato in tempo.',
  ],
  tryAgain: [
    'You can try again until {time}.',
    'შეგიძლიათ ხელახლა სცადოთ. ბოლო ვადა: {time}.',
    'È possibile riprovare fino al: {time}.',
  ],
  backToShop: ['Back to the shop', 'მაღაზიაში დაბრუნება', 'Torna al negozio'],
  soon: [
    'You are taken there in {n} seconds.',
    'ავტომატურად გადახვალთ {n} წამში.',
    'Reindirizzamento tra {n} secondi.',
  ],
  fromTerminal: ['Play the payer from the terminal', 'გადახდა ტერმინალიდან', 'Pagare dal terminale'],
  noOrder: ['There is no such order', 'ასეთი შეკვეთა არ არსებობს', 'Ordine inesistente'],
  notFromHere: [
    'This form was sent from another site',
    'ეს ფორმა სხვა საიტიდან გამოიგზავნა',
    'Il modulo è stato inviato da un altro sito',
  ],
  PERSONAL_NUMBER: ['Personal number', 'პირადი ნომერი', 'Numero personale'],
  PAYER_NAME: ['Payer', 'გადამხდელი', 'Pagatore'],
  PURPOSE: ['Purpose', 'დანიშნულება', 'Causale'],
  PERSONAL_NUMBER_OR_PASSPORT: [
    'Personal or passport number',
    'პირადი ან პასპორტის ნომერი',
    'Numero personale o di passaporto',
  ],
  IS_FOREIGN: ['Foreign citizen', 'უცხო ქვეყნის მოქალაქე', 'Cittadinanza straniera'],
  ENTITY_IDENTIFIER: ['Identification number', 'საიდენტიფიკაციო ნომერი', 'Numero identificativo'],
  CAR_IDENTIFIER: ['Car number', 'ავტომობილის ნომერი', 'Targa del veicolo'],
  INVOICE_NUMBER_LABEL: ['Invoice number', 'ინვოისის ნომერი', 'Numero di fattura'],
  DESCRIPTION: ['Description', 'აღწერა', 'Descrizione'],
  ABONENT_CODE: ['Subscriber code', 'აბონენტის კოდი', 'Codice utente'],
} as const satisfies Readonly<Record<string, readonly [english: string, georgian: string, italian: string]>>

export type TextKey = keyof typeof texts

export type Translate = (key: TextKey, values?: Readonly<Record<string, string>>) => string

export function isTextKey(key: string): key is TextKey {
  return Object.hasOwn(texts, key)
}

/** Speaks one language. */
export function translator(language: Language): Translate {
  const at = languages.indexOf(language)
  return (key, values = {}) =>
    (texts[key][at] ?? '').replace(/\{(\w+)\}/g, (hole, name: string) => values[name] ?? hole)
}
