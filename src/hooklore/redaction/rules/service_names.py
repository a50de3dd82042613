"""Names of services whose keys look like any hash or id, and the words that may follow such a name.

A public key of such a service, its ids and its site keys are left out on purpose: `site`, `search`, `public`,
`publishable` and `id` are no words between a service and its key.
"""

SERVICES = frozenset(
    # clouds, hosting, names
    b"aws fal google microsoft oracle ibm amazon azure gcp alibaba aliyun tencent huawei digitalocean "
    b"linode akamai hetzner ovh ovhcloud scaleway yandex ibmcloud watson vultr upcloud exoscale civo "
    b"equinix contabo ionos gandi namecheap godaddy dnsimple cloudns dynu duckdns desec porkbun netlify "
    b"vercel heroku railway flyio koyeb northflank cloudflare fastly bunnycdn keycdn stackpath backblaze "
    b"wasabi storj filebase pinata cloudinary imagekit uploadcare filestack transloadit mux wistia vimeo "
    b"dropbox mega pcloud "
    # source, builds, packages, quality
    b"docker expo github gitlab bitbucket gitea gogs forgejo codeberg sourcehut gerrit phabricator jenkins "
    b"circleci travis travisci buildkite drone droneci appveyor bitrise codemagic semaphoreci codeship "
    b"teamcity wercker codecov coveralls codacy codeclimate sonar sonarqube sonarcloud snyk veracode "
    b"checkmarx fossa chromatic applitools browserstack saucelabs lambdatest npm pypi rubygems nuget "
    b"packagist clojars dockerhub artifactory jfrog nexus cloudsmith packagecloud gemfury chocolatey "
    b"anaconda octopusdeploy spinnaker argocd portainer rancher "
    # models
    b"openai anthropic gemini vertexai mistral mistralai cohere groq huggingface replicate perplexity xai "
    b"grok deepseek openrouter togetherai fireworksai elevenlabs pinecone wandb langsmith langchain "
    b"langfuse anyscale deepinfra novita sambanova cerebras nvidia ngc runpod vastai baseten leptonai "
    b"stability stabilityai runwayml leonardo midjourney falai assemblyai deepgram speechmatics revai "
    b"playht resembleai murf heygen synthesia deepl clarifai roboflow kaggle cometml neptune clearml ai21 "
    b"aleph voyageai jina tavily exa serpapi serper firecrawl diffbot apify browserless scrapingbee "
    b"scraperapi zenrows brightdata zhipu moonshot dashscope qwen minimax baichuan siliconflow volcengine "
    b"baidu qianfan hunyuan qdrant weaviate milvus zilliz helicone portkey weightsbiases lambdalabs "
    # payment, shops, money
    b"stripe paypal braintree adyen plaid razorpay shopify flutterwave paystack coinbase binance kraken "
    b"bitfinex bitstamp kucoin bybit okx alpaca polygonio finnhub alphavantage iexcloud quandl tiingo "
    b"twelvedata coinmarketcap coingecko coinapi cryptocompare etherscan bscscan polygonscan infura "
    b"alchemy moralis quicknode blockfrost mollie klarna gocardless wise transferwise payoneer checkoutcom "
    b"worldpay authorizenet chargebee recurly paddle lemonsqueezy gumroad woocommerce bigcommerce magento "
    b"ecwid snipcart mercadopago pagseguro payjp komoju omise xendit midtrans paymongo tosspayments "
    b"iamport easypost shippo shipengine shipstation aftership fixer currencylayer exchangeratesapi "
    b"openexchangerates taxjar avalara "
    # messages and mail
    b"slack discord telegram twilio sendgrid mailgun mailchimp mandrill postmark resend brevo sendinblue "
    b"mailjet sparkpost mailersend mailerlite mailtrap elasticemail sendpulse convertkit klaviyo "
    b"activecampaign iterable customerio braze onesignal pushover pushbullet pusher ably pubnub sendbird "
    b"getstream chatwork messagebird vonage nexmo plivo sinch infobip clicksend telnyx textmagic "
    b"mattermost rocketchat zulip webex ringcentral zoom novu kickbox zerobounce neverbounce hunterio "
    # monitoring
    b"datadog newrelic sentry grafana dynatrace pagerduty opsgenie victorops honeycomb rollbar bugsnag "
    b"airbrake honeybadger raygun trackjs logrocket fullstory appdynamics splunk elastic elasticsearch "
    b"logz logzio loggly papertrail sumologic logdna mezmo coralogix scalyr betterstack logtail statuscake "
    b"pingdom uptimerobot statuspage cronitor checkly lightstep instana zabbix prtg icinga solarwinds "
    b"librato wavefront signalfx "
    # identity and secrets
    b"okta auth0 onelogin jumpcloud keycloak fusionauth frontegg descope clerk workos stytch supertokens "
    b"vault consul nomad doppler onepassword 1password infisical akeyless bitwarden lastpass dashlane "
    b"teleport virustotal shodan censys securitytrails greynoise abuseipdb alienvault urlscan hibp "
    b"crowdstrike sentinelone qualys tenable nessus rapid7 lacework wiz "
    # data
    b"planetscale supabase neondb mongoatlas rediscloud databricks snowflake airtable algolia meilisearch "
    b"typesense confluent fauna faunadb upstash clickhouse cockroachdb influx influxdb couchbase firebase "
    b"hasura appwrite xata turso tinybird dbt fivetran airbyte rudderstack segmentio mixpanel amplitude "
    b"posthog matomo plausible metabase redash looker contentful sanity storyblok prismic datocms strapi "
    b"mongodbatlas atlas "
    # products
    b"notion linearapp figma asana intercom hubspot zendesk freshdesk freshservice helpscout jira "
    b"confluence atlassian youtrack redmine trello clickup mondaycom basecamp pivotaltracker todoist wrike "
    b"smartsheet pipedrive salesforce zoho insightly typeform jotform surveymonkey calendly eventbrite "
    b"meetup launchdarkly optimizely configcat flagsmith unleash postman rapidapi zapier ifttt n8n webflow "
    b"squarespace wix wordpress drupal ghostcms docusign hellosign pandadoc lokalise crowdin transifex "
    b"smartling cypressio "
    # maps, weather, media, data of others
    b"mapbox maptiler tomtom mapquest geoapify opencage locationiq positionstack ipinfo ipstack "
    b"ipgeolocation ipdata maxmind openweather openweathermap weatherbit weatherapi accuweather tomorrowio "
    b"visualcrossing stormglass newsapi nytimes tmdb themoviedb omdb rawg igdb giphy tenor unsplash pexels "
    b"pixabay shutterstock spotify soundcloud lastfm genius deezer musixmatch youtube twitch steam riot "
    b"blizzard strava fitbit garmin withings oura yelp foursquare tripadvisor amadeus skyscanner duffel "
    b"clearbit fullcontact apollo peopledatalabs abstractapi apilayer spoonacular edamam nutritionix nasa "
    b"noaa facebook instagram twitter linkedin reddit pinterest tiktok snapchat tumblr flickr dribbble "
    b"bitly rebrandly "
    # services in Japan
    b"freee moneyforward kintone cybozu sakura sakuracloud backlog nulab rakuten yahoojapan soracom "
    b"nifcloud niftycloud sansan smarthr kingoftime gmo conoha zengin estat resas "
    # networks
    b"tailscale zerotier ngrok netbird twingate nordvpn mullvad protonvpn unifi meraki".split()
)
"""Names in small letters, without blanks between their words."""

BETWEEN = frozenset(
    b"access account admin agent ai api app application auth bot ci cli client cloud co com config "
    b"consumer credentials customer data default deploy dev developer env global host hosts hq http ingest "
    b"ingestion integration io key legacy license live manage management master my new oauth oauth2 old "
    b"org our personal primary private pro prod production provider read repo rest root root2 runner s "
    b"sandbox sdk secondary secret server service settings signing staging team test the token upload user "
    b"v1 v2 v3 web webhook write x your".split()
)
"""Words that may stand between a service and the word for its key: `datadog app key`, `x-auth-token`."""
