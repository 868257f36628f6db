"""What programs take: the options of each program and subcommand, what their values and operands are.

A key is a program's name, or that and its subcommands (`git stash drop`). A value is `>KEY` where it says the same as
another, else words:

    f|force         an option: all its names, one letter behind one dash, longer ones behind two
    o|output=       ... that takes a value, in the same word or the next
    color?          ... that may take a value in the same word
    exec=;          written `exec;`: ... that takes words up to `;`, or to `+` behind `{}`
    c=!             ... behind which all is operands
    o=w  r,+        behind `=`, `?`, `;` or `,` (an option without a value): what it does, letters of the list below
    :r*,w           the operands in their order; the one with `*` may be given any number of times
    %abbr           long names may be abbreviated
    %no             `--no-x` takes `--x` back
    %stop  %stop2   behind the first (the second) operand all is operands
    %single         long names behind one dash as well as two, no clusters of letters
    %expression     operands may stand behind `--` and yet be options (find)
    %old            the first word is letters, with or without a dash (tar)
    %sub            the first operand is a subcommand
    %anywhere       these options may stand behind the subcommand as well
    %more           there are more options, which may take values
    %silent         prints nothing of what it reads
    %decodes        prints the decoded form of what it reads
    %downloads      prints and writes what comes from its hosts

Letters for a file: `r` read, `w` written, `d` deleted, `s` sent to another machine, `+` with all below it, `~` with all
below it where an option `,+` is given. `W` on an option: the directory that the other operands are written to. Others:
`c` a directory to work in, `u` a URL, with or without a scheme, `U` a URL or something else, `h` a host, `@` data or
`@file` that is sent, `#` a form field `name=@file` that is sent, `-` nothing.
"""

from __future__ import annotations

PROGRAMS: dict[str, str] = {
    "7z": "%more",
    "7za": ">7z",
    "7zr": ">7z",
    "7zz": ">7z",
    "ag": """
        %more :-,r* A|after? B|before? C|context? G|file-search-regex= p|path-to-ignore= ignore= depth= m|max-count=
        l|files-with-matches L|files-without-matches i|ignore-case v|invert-match w|word-regexp Q|literal a|all-types
        c|count
    """,
    "age": """
        %decodes :r d|decrypt e|encrypt o|output=w r|recipient= R|recipients-file=r i|identity=r p|passphrase a|armor
    """,
    "alembic": "%sub %anywhere %more c|config= n|name= x= raiseerr",
    "ansible": """
        %abbr i|inventory|inventory-file=r m|module-name= a|args= e|extra-vars= l|limit= u|user= f|forks= t|tree=
        M|module-path= private-key|key-file= c|connection= T|timeout= become-user= become-method= B|background= P|poll=
        vault-password-file= vault-id= b|become k|ask-pass K|ask-become-pass C|check D|diff v|verbose o|one-line
        become-password-file= connection-password-file= playbook-dir= scp-extra-args= sftp-extra-args= ssh-common-args=
        ssh-extra-args= task-timeout= become-pass-file=r conn-pass-file=r flush-cache list-hosts vault-pass-file=r
        version J ask-vault-password ask-vault-pass h|help
    """,
    "ansible-playbook": """
        %abbr :r* i|inventory|inventory-file=r e|extra-vars= l|limit= u|user= f|forks= t|tags= skip-tags= start-at-task=
        M|module-path= private-key|key-file= c|connection= T|timeout= become-user= become-method= vault-password-file=
        vault-id= b|become k|ask-pass K|ask-become-pass C|check D|diff v|verbose step syntax-check list-tasks list-tags
        list-hosts flush-cache force-handlers become-password-file=r become-pass-file=r connection-password-file=r
        conn-pass-file=r vault-pass-file=r version J ask-vault-password ask-vault-pass h|help scp-extra-args=
        sftp-extra-args= ssh-common-args= ssh-extra-args=
    """,
    "ansible-vault": "%sub %abbr %more vault-password-file=r vault-id= output=w",
    "ant": "%more %single f=r buildfile=r file=r D?",
    "apk": """
        %sub %anywhere p|root= X|repository=U q|quiet v|verbose i|interactive f|force U|update-cache t|virtual=
        cache-dir= keys-dir= no-cache
    """,
    "apt": """
        %sub %anywhere o|option= c|config-file=r t|target-release|default-release= y|yes|assume-yes q|quiet?
        s|simulate|just-print|dry-run|recon|no-act f|fix-broken m|ignore-missing d|download-only purge reinstall
        autoremove|auto-remove allow-unauthenticated no-install-recommends install-suggests a|host-architecture=
        force-yes allow-downgrades allow-remove-essential allow-change-held-packages V u
    """,
    "apt-cache": "%sub %more",
    "apt-get": ">apt",
    "aptitude": "%sub %more t= o= q?",
    "ar": "%old :-,-*",
    "argocd": "%sub %anywhere %more server= auth-token= config= grpc-web insecure plaintext",
    "aria2c": """
        %abbr %downloads :u* d|dir=W o|out= l|log=w i|input-file=r T|torrent-file=r s|split=
        x|max-connection-per-server= j|max-concurrent-downloads= k|min-split-size= header= U|user-agent= referer=
        load-cookies=r save-cookies=w http-user= http-passwd= all-proxy= m|max-tries= t|timeout= c|continue q|quiet
        Z|force-sequential checksum= save-session=w conf-path=r
    """,
    "artisan": "%sub %more",
    "ash": ">bash",
    "asr": "%more",
    "at": "f=r q= t= m M v l c d b",
    "autopep8": """
        %more :r* i|in-place d|diff a|aggressive r|recursive j|jobs= max-line-length= exclude= select=
        ignore=
    """,
    "autossh": """
        %stop2 4 6 A a C f g K k N n q s T t V v X x Y M= b= c= D= e= F= i= J= L= l= m= O= o= p= R= S= w= G B= E= I= P=
        Q= W=
    """,
    "awk": """
        %stop :-,r* F|field-separator= v|assign= f|file=r E|exec=r i|include=r e|source= b c C d? D? g h I l|load= L? M
        n N o? O p? P r s S t V characters-as-bytes traditional copyright dump-variables? debug? gen-pot help trace
        lint? bignum non-decimal-data use-lc-numeric pretty-print? optimize profile? posix re-interval no-optimize
        sandbox lint-old version W=
    """,
    "aws": """
        %sub %anywhere %more profile= region= output= query= endpoint-url=U ca-bundle= cli-read-timeout=
        cli-connect-timeout= color= debug no-verify-ssl no-paginate no-sign-request cli-binary-format= no-cli-pager
        cli-auto-prompt no-cli-auto-prompt
    """,
    "aws s3": "%sub %more",
    "aws s3 cp": """
        recursive dryrun quiet include= exclude= acl= storage-class= sse= sse-kms-key-id= content-type= cache-control=
        metadata= expires= grants= only-show-errors no-progress page-size= follow-symlinks no-follow-symlinks
        no-guess-mime-type source-region= request-payer= metadata-directive= expected-size= content-encoding=
        content-disposition= content-language= ignore-glacier-warnings force-glacier-transfer sse-c= sse-c-key=
        sse-c-copy-source= sse-c-copy-source-key= website-redirect= checksum-mode= checksum-algorithm= case-conflict=
        version= v2-debug
    """,
    "aws s3 ls": "recursive human-readable summarize page-size= request-payer=",
    "aws s3 mv": ">aws s3 cp",
    "aws s3 rb": "force",
    "aws s3 rm": """
        recursive dryrun quiet include= exclude= only-show-errors page-size= request-payer= version= v2-debug
    """,
    "aws s3 sync": """
        delete exact-timestamps size-only dryrun quiet include= exclude= acl= storage-class= sse= sse-kms-key-id=
        content-type= cache-control= metadata= expires= grants= only-show-errors no-progress page-size= follow-symlinks
        no-follow-symlinks no-guess-mime-type source-region= request-payer= metadata-directive= sse-c= sse-c-key=
        sse-c-copy-source= sse-c-copy-source-key= website-redirect= content-disposition= content-encoding=
        content-language= ignore-glacier-warnings force-glacier-transfer checksum-mode= checksum-algorithm=
        case-conflict= version= v2-debug
    """,
    "axel": """
        %downloads :u* o|output=w n|num-connections= s|max-speed= H|header= U|user-agent= T|timeout= q|quiet v|verbose
        a|alternate k|insecure
    """,
    "az": """
        %sub %anywhere %more o|output= query= subscription= debug verbose only-show-errors g|resource-group= n|name=
        y|yes h|help no-wait
    """,
    "az storage": "%sub %more",
    "az storage blob": "%sub %more",
    "az storage blob delete-batch": "s|source= pattern= account-name= dryrun account-key= sas-token=",
    "az storage blob download": "f|file=w account-name= container-name|c= name|n= account-key= sas-token=",
    "az storage blob upload": """
        f|file=rs account-name= container-name|c= name|n= overwrite? account-key= sas-token= connection-string=
        auth-mode= type|t=
    """,
    "az storage blob upload-batch": "s|source=rs+ d|destination= account-name= pattern= account-key= sas-token=",
    "azcopy": """
        %sub %anywhere %more recursive? delete-destination= dry-run log-level= output-type= output-level= from-to=
        cap-mbps= trusted-microsoft-suffixes=
    """,
    "azcopy copy": "%more",
    "azcopy cp": ">azcopy copy",
    "azcopy sync": "%more",
    "b2sum": """
        %abbr %silent :r* b|binary c|check l|length= tag t|text z|zero ignore-missing quiet status strict w|warn help
        version
    """,
    "base32": "%abbr :r d|decode i|ignore-garbage w|wrap= help version",
    "base64": "%abbr :r d|decode i|ignore-garbage w|wrap= help version",
    "basename": "%abbr a|multiple s|suffix= z|zero help version",
    "basenc": """
        %abbr :r base64 base64url base32 base32hex base16 base2msbf base2lsbf d|decode i|ignore-garbage w|wrap= z85 help
        version
    """,
    "bash": """
        %stop c= O= o= e u x v n i l r s a b f h k m p t B C E H P D init-file=r rcfile=r login noprofile norc posix
        restricted verbose debugger help version
    """,
    "bat": """
        :r* l|language= H|highlight-line= file-name= m|map-syntax= theme= style= r|line-range= terminal-width= wrap=
        color= decorations= paging= pager= tabs= A|show-all p|plain d|diff n|number
    """,
    "batcat": ">bat",
    "batch": ">at",
    "bazel": "%sub %anywhere %more output_base= output_user_root= bazelrc=r config= c|compilation_mode= j|jobs=",
    "biome": "%sub %more",
    "black": """
        %more :rw* l|line-length= t|target-version= c|code= config= include= exclude= check diff q|quiet v|verbose pyi
        ipynb python-cell-magics= x|skip-source-first-line S|skip-string-normalization C|skip-magic-trailing-comma
        preview unstable enable-unstable-feature= color no-color line-ranges= fast safe required-version=
        extend-exclude= force-exclude= stdin-filename= W|workers= version cache-dir= no-cache h|help
    """,
    "blkdiscard": ":w f|force o|offset= l|length= p|step= s|secure z|zeroout v|verbose q|quiet",
    "borg": """
        %sub %anywhere %more critical error warning info debug v|verbose log-json lock-wait= show-version show-rc umask=
        remote-path= upload-ratelimit= rsh= bypass-lock n|dry-run s|stats list a|glob-archives= P|prefix= keep-last=
        keep-hourly|H= keep-daily|d= keep-weekly|w= keep-monthly|m= keep-yearly|y= keep-within= force cache-only
        p|progress
    """,
    "bq": """
        %sub %anywhere %more project_id= dataset_id= location= format= job_id= api= f|force r|recursive q|quiet headless
    """,
    "brew": """
        %sub %anywhere %more v|verbose q|quiet d|debug h|help f|force n|dry-run cask casks formula formulae zap
        ignore-dependencies
    """,
    "bsdtar": ">tar",
    "buildah": "%sub %more",
    "builtin": "%stop",
    "bun": "%sub %more e|eval= p|print= cwd=c config= filter=",
    "bundle": "%sub %anywhere %more gemfile= path= without= with= jobs|j= r|retry=",
    "bunx": ">npx",
    "bunzip2": ">bzip2",
    "busybox": "%stop",
    "bzcat": "%decodes :r*",
    "bzgrep": ">grep",
    "bzip2": """
        %abbr :rwd* h|help d|decompress z|compress k|keep f|force t|test c|stdout q|quiet v|verbose L|license V|version
        s|small 1|fast 9|best 2 3 4 5 6 7 8
    """,
    "bzr": "%sub %more",
    "c++": ">gcc",
    "cargo": """
        %sub %anywhere Z= C=c config= color= v|verbose q|quiet frozen locked offline V|version list explain=
        manifest-path=r target-dir= target= p|package= features|F= profile= j|jobs= message-format= bin= example= test=
        bench= registry= index=U token= h|help
    """,
    "cargo add": """
        git=U branch= tag= rev= path= rename= optional dev build dry-run no-default-features default-features
        no-optional public no-public n h|help ignore-rust-version base=
    """,
    "cargo bench": """
        %more no-run no-fail-fast h|help workspace exclude= all lib bins examples tests benches all-targets all-features
        no-default-features unit-graph timings ignore-rust-version
    """,
    "cargo build": """
        r|release all-features no-default-features workspace exclude= lib bins examples tests benches all-targets
        future-incompat-report h|help all keep-going artifact-dir=w unit-graph timings ignore-rust-version
    """,
    "cargo check": """
        %more future-incompat-report h|help workspace exclude= all lib bins examples tests benches all-targets
        all-features no-default-features keep-going r|release unit-graph timings ignore-rust-version
    """,
    "cargo clean": "r|release doc n|dry-run workspace h|help",
    "cargo clippy": "%more no-deps fix h|help W|warn= A|allow= D|deny= forbid=",
    "cargo doc": """
        %more open no-deps document-private-items h|help workspace exclude= all all-features no-default-features lib
        bins examples keep-going r|release unit-graph timings ignore-rust-version
    """,
    "cargo fmt": "%more all check h|help",
    "cargo install": """
        git=U branch= tag= rev= path= root=w version= f|force no-track list debug all-features no-default-features bins
        examples ignore-rust-version dry-run n h|help keep-going timings
    """,
    "cargo owner": "a|add= r|remove= l|list",
    "cargo publish": """
        n|dry-run no-verify allow-dirty workspace all-features no-default-features exclude= keep-going h|help
    """,
    "cargo run": "r|release all-features no-default-features h|help keep-going unit-graph timings ignore-rust-version",
    "cargo test": """
        r|release all-features no-default-features no-run no-fail-fast workspace exclude= lib bins doc tests benches
        all-targets future-incompat-report h|help all examples unit-graph timings ignore-rust-version
    """,
    "cargo update": "%more n|dry-run recursive precise= b|breaking h|help w|workspace ignore-rust-version",
    "cargo yank": "version|vers= undo",
    "cat": """
        %abbr :r* A|show-all b|number-nonblank e E|show-ends n|number s|squeeze-blank t T|show-tabs u v|show-nonprinting
        help version
    """,
    "cc": ">gcc",
    "cdk": """
        %sub %anywhere %more a|app= c|context= o|output= profile= role-arn|r= toolkit-stack-name= f|force all
        require-approval= e|exclusively
    """,
    "certbot": "%sub %anywhere %more d|domains= cert-name= m|email= config-dir= work-dir= logs-dir= n|non-interactive",
    "cfdisk": ":w",
    "chattr": ":-,w~* R,+ V f v= p=",
    "chgrp": ">chown",
    "chmod": """
        %abbr :-,w~* c|changes f|silent|quiet v|verbose no-preserve-root preserve-root reference= R|recursive,+ help
        version
    """,
    "chown": """
        %abbr :-,w~* c|changes f|silent|quiet v|verbose dereference h|no-dereference from= no-preserve-root
        preserve-root reference= R|recursive,+ H L P help version
    """,
    "chroot": "%stop %abbr groups= userspec= u= g= G= skip-chdir help version",
    "cksum": """
        %abbr %silent :r* a|algorithm= c|check l|length= tag untagged z|zero ignore-missing quiet status strict w|warn
        debug help version
    """,
    "clang": ">gcc",
    "clang++": ">gcc",
    "clang-format": """
        %single %more :r* i style= assume-filename= fallback-style= n dry-run files=r lines= offset= length=
    """,
    "clickhouse": "%sub %more",
    "clickhouse-client": """
        %more h|host=h port= u|user= password= d|database= q|query= queries-file=r m|multiline n|multiquery f|format=
    """,
    "cmake": "B=w S= G= D= U= C=r T= A= E=! P=r build= install= target|t= config= j|parallel? preset= prefix= L N",
    "cmp": "%abbr :r* b|print-bytes i|ignore-initial= l|verbose n|bytes= s|quiet|silent help v|version",
    "code": """
        %more :rw* d|diff m|merge a|add g|goto n|new-window r|reuse-window w|wait user-data-dir= extensions-dir=
        install-extension= uninstall-extension=
    """,
    "column": """
        %abbr :r* t|table n|table-name= O|table-order= N|table-columns= l|table-columns-limit= E|table-noextreme=
        d|table-noheadings e|table-header-repeat H|table-hide= R|table-right= T|table-truncate= W|table-wrap=
        L|keep-empty-lines J|json r|tree= i|tree-id= p|tree-parent= c|output-width= o|output-separator= s|separator=
        x|fillrows h|help V|version
    """,
    "comm": "%abbr :r* 1 2 3 check-order nocheck-order output-delimiter= total z|zero-terminated help version",
    "command": "%stop p v V",
    "composer": "%sub %anywhere %more d|working-dir=c",
    "compress": ":rwd* c f v r b=",
    "conda": "%sub %anywhere %more n|name= p|prefix= c|channel= f|file=r solver= y|yes",
    "conda run": "%stop %more cwd=c no-capture-output live-stream v|verbose dev debug-wrapper-scripts",
    "consul": """
        %sub %anywhere %single %more http-addr= token= token-file=r datacenter= namespace= partition= ca-file= ca-path=
        client-cert= client-key= recurse stale cas modify-index= id= force keys separator= detailed
    """,
    "convert": "",
    "cp": """
        %abbr :r~*,w a|archive,+ attributes-only backup? b copy-contents d f|force i|interactive H l|link L|dereference
        n|no-clobber P|no-dereference p preserve? no-preserve= parents R|r|recursive,+ reflink? remove-destination
        sparse= strip-trailing-slashes s|symbolic-link S|suffix= t|target-directory=W T|no-target-directory u|update
        v|verbose x|one-file-system Z context? help version
    """,
    "cpio": """
        %abbr o|create i|extract p|pass-through t|list v|verbose u|unconditional d|make-directories m E|pattern-file=r
        F|file=r O=w I=r H|format= D|directory=c a A B c C|io-size= 0|null L|dereference l n R|owner= M|message=
        no-absolute-filenames to-stdout quiet block-size= force-local V|dot W|warning= rsh-command= b|swap f|nonmatching
        numeric-uid-gid r|rename s|swap-bytes S|swap-halfwords only-verify-crc append device-independent reproducible
        ignore-devno renumber-inodes link absolute-filenames reset-access-time preserve-modification-time
        no-preserve-owner sparse help usage version
    """,
    "cqlsh": """
        %abbr %more :h,- u|username= p|password= k|keyspace= f|file=r e|execute= request-timeout= connect-timeout= ssl
        cqlshrc=r
    """,
    "createdb": """
        %abbr h|host=h p|port= U|username= w W|password e|echo O|owner= E|encoding= T|template= l|locale= D|tablespace=
        maintenance-db=
    """,
    "crictl": "%sub %more r|runtime-endpoint= i|image-endpoint= c|config= t|timeout=",
    "crontab": ":r u= e l r i s",
    "cryptsetup erase": ":w q|batch-mode header=w",
    "cryptsetup luksFormat": """
        %more :w,r q|batch-mode d|key-file=r c|cipher= s|key-size= h|hash= type= header=w y v
    """,
    "cryptsetup": "%sub %more q|batch-mode d|key-file=r c|cipher= s|key-size= h|hash= type= y v",
    "csplit": """
        %abbr :r,-* b|suffix-format= f|prefix=w k|keep-files suppress-matched n|digits= s|quiet|silent
        z|elide-empty-files help version
    """,
    "ctags": "%more o=w f=w L=r R",
    "ctr": "%sub %anywhere %more a|address= n|namespace=",
    "curl": """
        %abbr %no %downloads :u* abstract-unix-socket= alt-svc=w anyauth a|append aws-sigv4= basic cacert= capath=
        E|cert= cert-status cert-type= ciphers= compressed compressed-ssh K|config=r connect-timeout= connect-to=
        C|continue-at= b|cookie= c|cookie-jar=w create-dirs create-file-mode= crlf crlfile=r curves= d|data=@
        data-ascii=@ data-binary=@ data-raw= data-urlencode=@ delegation= digest q|disable disable-eprt disable-epsv
        disallow-username-in-url dns-interface= dns-ipv4-addr= dns-ipv6-addr= dns-servers= doh-cert-status doh-insecure
        doh-url= D|dump-header=w egd-file= engine= etag-compare=r etag-save=w expect100-timeout= f|fail fail-early
        fail-with-body false-start F|form=# form-escape form-string= ftp-account= ftp-alternative-to-user=
        ftp-create-dirs ftp-method= ftp-pasv P|ftp-port= ftp-pret ftp-skip-pasv-ip ftp-ssl-ccc ftp-ssl-ccc-mode=
        ftp-ssl-control G|get g|globoff happy-eyeballs-timeout-ms= haproxy-protocol I|head H|header= h|help? hostpubmd5=
        hostpubsha256= hsts=w http0.9 0|http1.0 http1.1 http2 http2-prior-knowledge http3 http3-only
        ignore-content-length i|include k|insecure interface= 4|ipv4 6|ipv6 json=@ j|junk-session-cookies
        keepalive-time= key= key-type= krb= libcurl=w limit-rate= l|list-only local-port= L|location location-trusted
        login-options= mail-auth= mail-from= mail-rcpt= mail-rcpt-allowfails M|manual max-filesize= max-redirs=
        m|max-time= metalink negotiate n|netrc netrc-file=r netrc-optional next|: no-alpn N|no-buffer no-clobber
        no-keepalive no-npn no-progress-meter no-sessionid noproxy= ntlm ntlm-wb oauth2-bearer= o|output=w output-dir=
        Z|parallel parallel-immediate parallel-max= pass= path-as-is pinnedpubkey= post301 post302 post303 preproxy=
        #|progress-bar proto= proto-default= proto-redir= x|proxy= proxy-anyauth proxy-basic proxy-cacert= proxy-capath=
        proxy-cert= proxy-cert-type= proxy-ciphers= proxy-crlfile= proxy-digest proxy-header= proxy-insecure proxy-key=
        proxy-key-type= proxy-negotiate proxy-ntlm proxy-pass= proxy-pinnedpubkey= proxy-service-name=
        proxy-ssl-allow-beast proxy-ssl-auto-client-cert proxy-tls13-ciphers= proxy-tlsauthtype= proxy-tlspassword=
        proxy-tlsuser= proxy-tlsv1 U|proxy-user= proxy1.0= p|proxytunnel pubkey= Q|quote= random-file= r|range= rate=
        raw e|referer= J|remote-header-name O|remote-name remote-name-all R|remote-time remove-on-error X|request=
        request-target= resolve= retry= retry-all-errors retry-connrefused retry-delay= retry-max-time= sasl-authzid=
        sasl-ir service-name= S|show-error s|silent socks4= socks4a= socks5= socks5-basic socks5-gssapi
        socks5-gssapi-nec socks5-gssapi-service= socks5-hostname= Y|speed-limit= y|speed-time= ssl ssl-allow-beast
        ssl-auto-client-cert ssl-no-revoke ssl-reqd ssl-revoke-best-effort 2|sslv2 3|sslv3 stderr=w styled-output
        suppress-connect-headers tcp-fastopen tcp-nodelay t|telnet-option= tftp-blksize= tftp-no-options z|time-cond=
        tls-max= tls13-ciphers= tlsauthtype= tlspassword= tlsuser= 1|tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 tr-encoding
        trace=w trace-ascii=w trace-time unix-socket= T|upload-file=rs url=u url-query= B|use-ascii u|user=
        A|user-agent= v|verbose V|version w|write-out= xattr variable= ip-tos= vlan-priority= ech= skip-existing
        out-null ca-native
    """,
    "curlie": ">http",
    "cut": """
        %abbr :r* b|bytes= c|characters= d|delimiter= f|fields= n complement s|only-delimited output-delimiter=
        z|zero-terminated help version M
    """,
    "dash": ">bash",
    "date": """
        %abbr d|date= debug f|file= I|iso-8601? resolution R|rfc-email rfc-3339= r|reference= s|set= u|utc|universal
        help version
    """,
    "dd": "",
    "defaults": "%sub",
    "deno": "%sub %more",
    "df": """
        %abbr a|all B|block-size= h|human-readable H|si i|inodes k l|local no-sync output? P|portability sync total
        t|type= T|print-type x|exclude-type= v help version
    """,
    "diff": """
        %abbr :r~* normal q|brief s|report-identical-files c C= context? u U= unified? e|ed n|rcs y|side-by-side
        W|width= left-column suppress-common-lines p|show-c-function F|show-function-line= label= t|expand-tabs
        T|initial-tab tabsize= suppress-blank-empty l|paginate r|recursive,+ no-dereference N|new-file
        unidirectional-new-file ignore-file-name-case no-ignore-file-name-case x|exclude= X|exclude-from=
        S|starting-file= from-file= to-file= i|ignore-case E|ignore-tab-expansion Z|ignore-trailing-space
        b|ignore-space-change w|ignore-all-space B|ignore-blank-lines I|ignore-matching-lines= a|text strip-trailing-cr
        D|ifdef= GTYPE-group-format= line-format= LTYPE-line-format= d|minimal horizon-lines= speed-large-files color?
        palette= help v|version
    """,
    "diff3": """
        %abbr :r* A|show-all e|ed E|show-overlap 3|easy-only x|overlap-only X i m|merge a|text strip-trailing-cr
        T|initial-tab diff-program= L|label= help v|version
    """,
    "dig": "%more p= t= q= b= c= f=r k=r x= y= 4 6",
    "dir": """
        %abbr a|all A|almost-all author b|escape block-size= B|ignore-backups c C color? d|directory D|dired f
        F|classify? file-type format= full-time g group-directories-first G|no-group h|human-readable si
        H|dereference-command-line dereference-command-line-symlink-to-dir hide= hyperlink? indicator-style= i|inode
        I|ignore= k|kibibytes l L|dereference m n|numeric-uid-gid N|literal o p= q|hide-control-chars show-control-chars
        Q|quote-name quoting-style= r|reverse R|recursive s|size S sort= time= time-style= t T|tabsize= u U v w|width= x
        X Z|context zero 1 help version
    """,
    "dirname": "%abbr z|zero help version",
    "diskutil": "%sub",
    "django-admin": "%sub %anywhere %more settings= pythonpath=",
    "dnf": ">yum",
    "doas": "%stop C= L n s u= a=",
    "docker": """
        %sub %more config= c|context= D|debug H|host= l|log-level= tls tlscacert= tlscert= tlskey= tlsverify v|version
        connection= identity= url= root= runroot= storage-driver= storage-opt= cgroup-manager= n|namespace= a|address=
        snapshotter= data-root=
    """,
    "docker build": """
        add-host= build-arg= cache-from= cgroup-parent= compress cpu-period= cpu-quota= c|cpu-shares= cpuset-cpus=
        cpuset-mems= disable-content-trust f|file=r force-rm iidfile=w isolation= label= m|memory= memory-swap= network=
        no-cache platform= pull q|quiet rm security-opt= shm-size= squash t|tag= target= ulimit= o|output= cache-to=
        secret= ssh= progress= load push build-context= builder= metadata-file=w provenance= sbom= attest= allow=
    """,
    "docker builder": "%sub",
    "docker builder prune": "a|all filter= f|force keep-storage=",
    "docker buildx": "%sub builder=",
    "docker buildx build": """
        %more f|file=r t|tag= build-arg= platform= target= o|output= cache-from= cache-to= secret= ssh= progress=
        network= label= load push no-cache pull q|quiet add-host= allow= annotation= attest= build-context= builder=
        call= cgroup-parent= check iidfile=w metadata-file=w no-cache-filter= policy= provenance= sbom= shm-size=
        ulimit= D|debug
    """,
    "docker buildx prune": """
        %more a|all builder= filter= f|force keep-storage= max-used-space= min-free-space= reserved-space= timeout=
        verbose D|debug
    """,
    "docker checkpoint": "%sub",
    "docker commit": "a|author= c|change= m|message= p|pause",
    "docker compose": """
        %sub %more f|file=r p|project-name= profile= env-file=r project-directory= parallel= ansi= progress=
        compatibility
        dry-run all-resources verbose
    """,
    "docker compose build": """
        %more build-arg= builder= check compress force-rm m|memory= no-cache no-rm parallel print progress= provenance=
        pull push q|quiet sbom= ssh= with-dependencies dry-run
    """,
    "docker compose down": "%more remove-orphans rmi= t|timeout= v|volumes dry-run",
    "docker compose exec": """
        %stop %more e|env= w|workdir= u|user= index= d|detach T|no-TTY no-tty privileged i|interactive t|tty
    """,
    "docker compose kill": "%more remove-orphans s|signal= dry-run",
    "docker compose logs": "%more f|follow index= no-color no-log-prefix since= n|tail= t|timestamps until= dry-run",
    "docker compose ps": "%more a|all filter= format= no-trunc orphans q|quiet services status= dry-run",
    "docker compose pull": """
        %more ignore-buildable ignore-pull-failures include-deps no-parallel parallel policy= q|quiet dry-run
    """,
    "docker compose rm": "%more a|all f|force s|stop v|volumes dry-run",
    "docker compose run": """
        %stop %more e|env= v|volume= w|workdir= u|user= p|publish= l|label= name= entrypoint= cap-add= cap-drop= pull=
        env-from-file= build d|detach i|interactive T|no-TTY no-deps P|service-ports q|quiet quiet-build quiet-pull
        remove-orphans rm use-aliases
    """,
    "docker compose stop": "%more t|timeout= dry-run",
    "docker compose up": """
        %more abort-on-container-exit abort-on-container-failure always-recreate-deps attach= attach-dependencies build
        d|detach exit-code-from= force-recreate menu no-attach= no-build no-color no-deps no-log-prefix no-recreate
        no-start pull= quiet-build quiet-pull remove-orphans V|renew-anon-volumes scale= t|timeout= timestamps wait
        wait-timeout= w|watch y|yes dry-run
    """,
    "docker config": "%sub",
    "docker container": "%sub",
    "docker container cp": ">docker cp",
    "docker container create": ">docker create",
    "docker container exec": ">docker exec",
    "docker container kill": ">docker kill",
    "docker container prune": "filter= f|force",
    "docker container rm": ">docker rm",
    "docker container run": ">docker run",
    "docker container stop": ">docker stop",
    "docker context": "%sub",
    "docker cp": "a|archive L|follow-link q|quiet",
    "docker create": """
        %stop %more add-host= annotation= a|attach= blkio-weight= blkio-weight-device= cap-add= cap-drop= cgroup-parent=
        cgroupns= cidfile= cpu-count= cpu-percent= cpu-period= cpu-quota= cpu-rt-period= cpu-rt-runtime= c|cpu-shares=
        cpus= cpuset-cpus= cpuset-mems= device= device-cgroup-rule= device-read-bps= device-read-iops= device-write-bps=
        device-write-iops= disable-content-trust dns= dns-option= dns-search= domainname= entrypoint= e|env= env-file=r
        expose= gpus= group-add= health-cmd= health-interval= health-retries= health-start-interval=
        health-start-period= health-timeout= help h|hostname= init i|interactive io-maxbandwidth= io-maxiops= ip= ip6=
        ipc= isolation= kernel-memory= l|label= label-file= link= link-local-ip= log-driver= log-opt= mac-address=
        m|memory= memory-reservation= memory-swap= memory-swappiness= mount= name= network= network-alias=
        no-healthcheck oom-kill-disable oom-score-adj= pid= pids-limit= platform= privileged p|publish= P|publish-all
        pull= q|quiet read-only restart= rm runtime= security-opt= shm-size= stop-signal= stop-timeout= storage-opt=
        sysctl= tmpfs= t|tty ulimit= use-api-socket u|user= userns= uts= v|volume= volume-driver= volumes-from=
        w|workdir= arch= authfile= cgroup-conf= cgroups= conmon-pidfile= creds= decryption-key= dns-opt= env-merge=
        gidmap= hostuser= image-volume= init-ctr= init-path= net= os= passwd-entry= personality= pod= pod-id-file=
        requires= secret= subgidname= subuidname= systemd= timeout= tz= uidmap= umask= unsetenv= unsetenv-all variant=
        chrootdirs= group-entry= health-on-failure= shm-size-systemd= replace tls-verify? http-proxy? rootfs no-hosts
        no-hostname passwd read-only-tmpfs? sdnotify= preserve-fds= detach-keys=
    """,
    "docker exec": """
        %stop %more d|detach detach-keys= e|env= env-file= i|interactive privileged t|tty u|user= w|workdir= cidfile=
        preserve-fd= preserve-fds= latest l
    """,
    "docker export": "o|output=w",
    "docker image": "%sub",
    "docker image build": ">docker build",
    "docker image prune": "a|all f|force filter=",
    "docker image rm": ">docker rmi",
    "docker images": "a|all digests f|filter= format= no-trunc q|quiet tree",
    "docker import": "c|change= m|message= platform=",
    "docker inspect": "f|format= s|size type=",
    "docker kill": "s|signal=",
    "docker load": "i|input= platform= q|quiet",
    "docker login": "p|password= password-stdin u|username=",
    "docker logs": "details f|follow since= n|tail= t|timestamps until=",
    "docker manifest": "%sub",
    "docker network": "%sub",
    "docker network prune": "filter= f|force",
    "docker network rm": "f|force",
    "docker node": "%sub",
    "docker plugin": "%sub",
    "docker ps": "a|all f|filter= format= n|last= l|latest no-trunc q|quiet s|size",
    "docker pull": "a|all-tags disable-content-trust platform= q|quiet",
    "docker push": "a|all-tags disable-content-trust platform= q|quiet",
    "docker restart": "s|signal= t|timeout=",
    "docker rm": "f|force l|link v|volumes",
    "docker rmi": "f|force no-prune platform=",
    "docker run": """
        %stop %more add-host= annotation= a|attach= blkio-weight= blkio-weight-device= cap-add= cap-drop= cgroup-parent=
        cgroupns= cidfile= cpu-count= cpu-percent= cpu-period= cpu-quota= cpu-rt-period= cpu-rt-runtime= c|cpu-shares=
        cpus= cpuset-cpus= cpuset-mems= d|detach detach-keys= device= device-cgroup-rule= device-read-bps=
        device-read-iops= device-write-bps= device-write-iops= disable-content-trust dns= dns-option= dns-search=
        domainname= entrypoint= e|env= env-file=r expose= gpus= group-add= health-cmd= health-interval= health-retries=
        health-start-interval= health-start-period= health-timeout= help h|hostname= init i|interactive io-maxbandwidth=
        io-maxiops= ip= ip6= ipc= isolation= kernel-memory= l|label= label-file= link= link-local-ip= log-driver=
        log-opt= mac-address= m|memory= memory-reservation= memory-swap= memory-swappiness= mount= name= network=
        network-alias= no-healthcheck oom-kill-disable oom-score-adj= pid= pids-limit= platform= privileged p|publish=
        P|publish-all pull= q|quiet read-only restart= rm runtime= security-opt= shm-size= sig-proxy stop-signal=
        stop-timeout= storage-opt= sysctl= tmpfs= t|tty ulimit= use-api-socket u|user= userns= uts= v|volume=
        volume-driver= volumes-from= w|workdir= arch= authfile= cgroup-conf= cgroups= conmon-pidfile= creds=
        decryption-key= dns-opt= env-merge= gidmap= hostuser= image-volume= init-ctr= init-path= net= os= passwd-entry=
        personality= pod= pod-id-file= requires= secret= subgidname= subuidname= systemd= timeout= tz= uidmap= umask=
        unsetenv= unsetenv-all variant= chrootdirs= group-entry= health-on-failure= shm-size-systemd= replace
        tls-verify? http-proxy? rootfs no-hosts no-hostname passwd read-only-tmpfs? sdnotify= preserve-fds=
    """,
    "docker save": "o|output=w platform=",
    "docker secret": "%sub",
    "docker service": "%sub",
    "docker stack": "%sub",
    "docker start": "a|attach checkpoint= checkpoint-dir= detach-keys= i|interactive",
    "docker stop": "s|signal= t|timeout=",
    "docker swarm": "%sub",
    "docker system": "%sub",
    "docker system df": "format= v|verbose",
    "docker system prune": "a|all f|force volumes filter=",
    "docker trust": "%sub",
    "docker volume": "%sub",
    "docker volume ls": "cluster f|filter= format= q|quiet",
    "docker volume prune": "a|all f|force filter=",
    "docker volume rm": "f|force",
    "docker-compose": ">docker compose",
    "doctl": """
        %sub %anywhere %more t|access-token= u|api-url=U c|config= context= http-retry-max= o|output= f|force trace
        v|verbose interactive
    """,
    "doppler": """
        %sub %anywhere %more t|token= p|project= c|config= api-host= configuration= scope= json y|yes no-check-version
        print-config silent dashboard-host= timeout= attempts= dns-resolver-address= dns-resolver-proto=
        dns-resolver-timeout= no-verify-tls no-timeout enable-dns-resolver no-read-env debug v|version
    """,
    "doppler run": """
        %stop %more command= fallback=w passphrase= mount= mount-format= mount-template= mount-max-reads=
        name-transformer= preserve-env? only-secrets= no-cache no-fallback fallback-only fallback-readonly
        no-exit-on-write-failure forward-signals watch no-liveness-ping
    """,
    "dos2unix": "%more :rw* n|newfile b|keep-bom k|keepdate q|quiet o|oldfile",
    "dotnet": "%sub %anywhere %more s|source=U",
    "dotnet nuget": "%sub %more",
    "dpkg": """
        %abbr i|install,r r|remove P|purge l|list L|listfiles s|status S|search admindir= root= instdir= force-all
        force-depends a|pending configure unpack c|contents get-selections set-selections no-act|dry-run|simulate
    """,
    "dropdb": """
        %abbr h|host=h p|port= U|username= w|no-password W|password e|echo f|force i|interactive if-exists
        maintenance-db= V|version
    """,
    "dropuser": "%abbr h|host=h p|port= U|username= w W i if-exists e",
    "du": """
        %abbr 0|null a|all apparent-size B|block-size= b|bytes c|total D|dereference-args d|max-depth= files0-from= H
        h|human-readable inodes k L|dereference l|count-links m P|no-dereference S|separate-dirs si s|summarize
        t|threshold= time time-style= X|exclude-from= exclude= x|one-file-system help version
    """,
    "duckdb": ">sqlite3",
    "duplicity": "%sub %anywhere %more",
    "eb": "%sub %anywhere %more r|region= profile= v|verbose q|quiet debug no-verify-ssl all force",
    "echo": "%stop",
    "ed": """
        %abbr :rw E|extended-regexp G|traditional l|loose-exit-status p|prompt= r|restricted s|quiet|silent v|verbose
        h|help V|version
    """,
    "egrep": ">grep",
    "emacs": "%more %single :rw* q no-init-file nw no-window-system batch Q l|load= f|funcall= eval= u=",
    "emacsclient": "%more :rw* e|eval= s|socket-name= a|alternate-editor= n t c",
    "env": """
        %stop %abbr i|ignore-environment 0|null u|unset= C|chdir=c S|split-string= block-signal? default-signal?
        ignore-signal? list-signal-handling v|debug argv0= a= L= P= U= help version
    """,
    "eslint": """
        %more :r* c|config= fix ext= rulesdir= plugin= parser= f|format= o|output-file=w ignore-path= ignore-pattern=
        rule= no-config-lookup inspect-config global= parser-options= fix-dry-run fix-type= no-ignore stdin
        stdin-filename= quiet max-warnings= color no-color no-inline-config report-unused-disable-directives
        report-unused-disable-directives-severity= report-unused-inline-configs= cache cache-file=w cache-location=
        cache-strategy= suppress-all suppress-rule= suppressions-location= prune-suppressions
        pass-on-unpruned-suppressions init env-info no-error-on-unmatched-pattern exit-on-fatal-error no-warn-ignored
        pass-on-no-patterns debug h|help v|version print-config= stats flag= mcp concurrency=
    """,
    "etcdctl": """
        %sub %anywhere %more endpoints= cacert= cert= key= user= password= w|write-out= command-timeout= dial-timeout=
        prefix from-key
    """,
    "ex": ">vim",
    "exec": "%stop a= c l",
    "expand": "%abbr :r* i|initial t|tabs= help version",
    "expect": "c= f=r b=r d D= i n N v",
    "expr": "%stop",
    "false": "%stop",
    "fd": """
        H|hidden I|no-ignore no-ignore-vcs u|unrestricted s|case-sensitive i|ignore-case g|glob regex F|fixed-strings
        a|absolute-path l|list-details L|follow p|full-path 0|print0 d|max-depth= min-depth= exact-depth= E|exclude=
        prune t|type= e|extension= S|size= changed-within= changed-before= o|owner= x|exec; X|exec-batch; c|color=
        j|threads= max-results= 1 q|quiet ignore-file= C|base-directory= path-separator= search-path= and=
    """,
    "fdfind": ">fd",
    "fdisk": """
        :w* b|sector-size= B c? L? l|list o|output= t|type= u? s|getsz w|wipe= W|wipe-partitions= C|cylinders= H|heads=
        S|sectors=
    """,
    "ffmpeg": "%single %more i=r f= c= vf= af= ss= t= to= r= s= b= map= y n",
    "fgrep": ">grep",
    "file": """
        %abbr help v|version m|magic-file= z|uncompress Z|uncompress-noreport b|brief c|checking-printout e|exclude=
        exclude-quiet= f|files-from= F|separator= i|mime apple extension mime-type mime-encoding k|keep-going l|list
        L|dereference h|no-dereference n|no-buffer N|no-pad 0|print0 p|preserve-date P|parameter= r|raw s|special-files
        S|no-sandbox C|compile d|debug E
    """,
    "find": """
        %single %expression H L P D= O= a and o or not daystart follow nowarn warn regextype= depth d files0-from=r
        maxdepth= mindepth= mount xdev x X E s noleaf ignore_readdir_race noignore_readdir_race amin= anewer= atime=
        cmin= cnewer= context= ctime= empty false fstype= gid= group= ilname= iname= inum= ipath= iwholename= iregex=
        links= lname= mmin= mtime= name= newer= neweram= newerat= newercm= newerct= newermm= newermt= newerma= newermc=
        newerBt= newerBm= samefile= nouser nogroup path= perm= regex= readable writable executable wholename= size= true
        type= uid= used= user= xtype= delete print print0 printf= fprint=w fprint0=w fprintf=w ls fls=w prune quit exec;
        execdir; ok; okdir; help version
    """,
    "firebase": "%sub %anywhere %more P|project= account= token= c|config= f|force non-interactive",
    "firewall-cmd": "%more",
    "fish": """
        %stop c|command= C|init-command= o|debug-output= d|debug= f|features= P|private i|interactive l|login
        n|no-execute N|no-config p|profile=w profile-startup= print-debug-levels= v|version h|help print-rusage-self
    """,
    "flatpak": "%sub %more",
    "flock": """
        %stop c|command= s|shared x|e|exclusive n|nb|nonblock w|wait|timeout= u|unlock o|close E|conflict-exit-code=
        F|no-fork v|verbose h|help V|version
    """,
    "flux": "%sub %anywhere %more n|namespace= context= kubeconfig= timeout= s|silent",
    "fly": ">flyctl",
    "flyctl": "%sub %anywhere %more a|app= c|config= o|org= t|access-token= y|yes",
    "flyway": "%sub %single %more",
    "fmt": """
        %abbr :r* c|crown-margin p|prefix= s|split-only t|tagged-paragraph u|uniform-spacing w|width= g|goal= help
        version
    """,
    "fold": "%abbr :r* b|bytes s|spaces w|width= help version",
    "fossil": "%sub %more",
    "ftp": "%more :h,- o=w 4 6 A a d e g i n p t v",
    "fuser": "%more k|kill m|mount n|namespace= v|verbose i|interactive a|all s|silent u|user 4 6",
    "g++": ">gcc",
    "gawk": ">awk",
    "gcc": """
        %single %more :r* o=w c S E I? L? l? D? U? O? W? g? f? m? std= include=r isystem= iquote= x= T= Xlinker=
        Xassembler= Xpreprocessor= MF=w MT= MQ= MD MMD MM M MP shared static pthread pipe v w s
    """,
    "gcloud": """
        %sub %anywhere %more project= account= configuration= format= filter= region= zone= q|quiet verbosity=
        user-output-enabled impersonate-service-account= billing-project= flatten= access-token-file=r flags-file=r
        log-http trace-token= async
    """,
    "gcloud compute": "%sub",
    "gcloud compute scp": "%more recurse compress port= scp-flag= ssh-key-file= tunnel-through-iap",
    "gcloud compute ssh": "%more command= ssh-flag= ssh-key-file= tunnel-through-iap",
    "gcloud storage": "%sub",
    "gcloud storage cp": "%more r|R|recursive n|no-clobber",
    "gcloud storage mv": ">gcloud storage cp",
    "gcloud storage rm": "%more r|R|recursive a|all-versions",
    "gcloud storage rsync": "%more r|R|recursive delete-unmatched-destination-objects dry-run",
    "gdisk": ":w",
    "gem": "%sub %anywhere %more s|source=U i|install-dir=w n|bindir= v|version= p|http-proxy= config-file=r",
    "gh": "%sub %anywhere %more R|repo= hostname=h help version",
    "gh api": """
        X|method= f|raw-field= F|field= H|header= input=rs q|jq= t|template= i|include paginate silent slurp cache=
        p|preview= verbose hostname=h help
    """,
    "gh auth": "%sub %more",
    "gh auth login": "%more p|git-protocol= h= s|scopes= w|web with-token help",
    "gh gist": "%sub %more",
    "gh gist create": ":rs* d|desc= f|filename= p|public w|web help",
    "gh issue": "%sub %more b|body= F|body-file=rs t|title= a|assignee= l|label= m|milestone= p|project=",
    "gh issue create": "%more recover= w|web help",
    "gh pr": """
        %sub %more b|body= F|body-file=rs t|title= B|base= H|head= a|assignee= l|label= m|milestone= r|reviewer=
        p|project=
    """,
    "gh pr create": "%more d|draft f|fill no-maintainer-edit recover= w|web help",
    "gh pr merge": """
        %more admin A|author-email= auto d|delete-branch disable-auto match-head-commit= s|squash subject= help m|merge
        r|rebase
    """,
    "gh release": "%sub %more",
    "gh release create": """
        %more discussion-category= d|draft generate-notes latest n|notes= F|notes-file=r notes-start-tag= p|prerelease
        target= t|title= verify-tag help
    """,
    "gh release upload": ":-,rs* clobber help",
    "gh repo": "%sub %more",
    "gh repo clone": "%more u|upstream-remote-name= help",
    "gh repo create": """
        %more add-readme c|clone d|description= disable-issues disable-wiki g|gitignore= h|homepage=
        include-all-branches internal l|license= private public push r|remote= s|source= t|team= p|template= help
    """,
    "gh repo delete": "%more yes help",
    "gh run": "%sub %more",
    "gh run list": "%more b|branch= q|jq= json= L|limit= t|template= u|user= w|workflow= help",
    "gh secret": "%sub %more",
    "gh secret set": "%more a|app= b|body= e|env= f|env-file=r no-store o|org= r|repos= u|user v|visibility= help",
    "gh workflow": "%sub %more",
    "gh workflow run": "%more F|field= json f|raw-field= r|ref= help",
    "gio": "%sub",
    "gio remove": ":d* f|force",
    "gio trash": ":d+* f|force empty list",
    "git": """
        %no %abbr %sub v|version h|help C=c c= config-env= exec-path? html-path man-path info-path p|paginate P|no-pager
        no-replace-objects bare git-dir= work-tree= namespace= super-prefix= literal-pathspecs glob-pathspecs
        noglob-pathspecs icase-pathspecs no-optional-locks no-lazy-fetch list-cmds= attr-source=
    """,
    "git add": """
        %no %abbr n|dry-run v|verbose i|interactive p|patch e|edit f|force u|update renormalize N|intent-to-add A|all
        ignore-removal refresh ignore-errors ignore-missing sparse chmod= pathspec-from-file= pathspec-file-nul
        U|unified= inter-hunk-context= no-warn-embedded-repo
    """,
    "git am": """
        %no %abbr :r* i|interactive 3|3way q|quiet s|signoff u|utf8 k|keep keep-non-patch m|message-id keep-cr
        no-keep-cr c|scissors quoted-cr= whitespace= ignore-space-change ignore-whitespace directory= exclude= include=
        C= p= patch-format= reject resolvemsg= continue r|resolved skip abort quit show-current-patch? allow-empty
        committer-date-is-author-date ignore-date rerere-autoupdate S|gpg-sign? empty=
    """,
    "git apply": """
        %no %abbr :r* exclude= include= p= no-add stat numstat summary check index N|intent-to-add cached unsafe-paths
        apply 3|3way build-fake-ancestor= z C= whitespace= ignore-space-change ignore-whitespace R|reverse unidiff-zero
        reject allow-overlap v|verbose q|quiet inaccurate-eof recount directory= allow-empty allow-binary-replacement
        binary
    """,
    "git archive": """
        %no %abbr format= prefix= add-file= add-virtual-file= o|output=w worktree-attributes v|verbose l|list remote=
        exec=
    """,
    "git bisect": "%sub",
    "git blame": """
        %no %abbr :r incremental b root show-stats progress score-debug f|show-name n|show-number p|porcelain
        line-porcelain c t l s e|show-email w ignore-rev= ignore-revs-file= color-lines color-by-age minimal S=
        contents= C? M? L= abbrev? reverse= first-parent encoding= date= h
    """,
    "git branch": """
        %no %abbr v|verbose q|quiet t|track? u|set-upstream-to= unset-upstream color? r|remotes contains= no-contains=
        abbrev? a|all d|delete D m|move M c|copy C l|list show-current create-reflog edit-description f|force merged=
        no-merged= column? sort= points-at= i|ignore-case recurse-submodules format= set-upstream
    """,
    "git bundle": "%sub",
    "git bundle create": "%no %abbr %more :w q|quiet progress version=",
    "git bundle unbundle": "%no %abbr :r progress",
    "git bundle verify": "%no %abbr :r q|quiet",
    "git cat-file": """
        %no %abbr e p t s allow-unknown-type use-mailmap mailmap batch? batch-check? z batch-command? batch-all-objects
        buffer follow-symlinks unordered textconv filters path=
    """,
    "git check-ignore": "%no %abbr q|quiet v|verbose stdin z n|non-matching no-index",
    "git checkout": """
        %no %abbr b= B= l guess overlay q|quiet recurse-submodules? progress m|merge conflict= d|detach t|track? f|force
        orphan= overwrite-ignore ignore-other-worktrees 2|ours 3|theirs p|patch ignore-skip-worktree-bits
        pathspec-from-file= pathspec-file-nul U|unified= inter-hunk-context=
    """,
    "git checkout-index": """
        %no %abbr a|all ignore-skip-worktree-bits f|force q|quiet n|no-create u|index z stdin temp prefix= stage=
    """,
    "git cherry": "%no %abbr v|verbose abbrev?",
    "git cherry-pick": """
        %no %abbr quit continue abort skip cleanup= n|no-commit e|edit s|signoff m|mainline= rerere-autoupdate strategy=
        X|strategy-option= S|gpg-sign? x ff allow-empty allow-empty-message keep-redundant-commits r
    """,
    "git clean": "%no %abbr q|quiet n|dry-run f|force i|interactive d e|exclude= x X",
    "git clone": """
        %no %abbr v|verbose q|quiet progress reject-shallow n|no-checkout bare mirror l|local no-hardlinks s|shared
        recurse-submodules? recursive? j|jobs= template= reference= reference-if-able= dissociate o|origin= b|branch=
        u|upload-pack= depth= shallow-since= shallow-exclude= single-branch no-tags shallow-submodules separate-git-dir=
        c|config= server-option= 4|ipv4 6|ipv6 filter= also-filter-submodules remote-submodules sparse bundle-uri=
    """,
    "git commit": """
        %no %abbr q|quiet v|verbose F|file=r author= date= m|message= c|reedit-message= C|reuse-message= fixup= squash=
        reset-author trailer= s|signoff t|template=r e|edit cleanup= status S|gpg-sign? a|all i|include interactive
        p|patch o|only n|no-verify dry-run short branch ahead-behind porcelain long z|null amend no-post-rewrite
        u|untracked-files? pathspec-from-file= pathspec-file-nul U|unified= inter-hunk-context= allow-empty
        allow-empty-message
    """,
    "git commit-tree": "%no %abbr p= m= F= S|gpg-sign?",
    "git config": """
        %no %abbr global system local worktree f|file= blob= get get-all get-regexp get-urlmatch replace-all add unset
        unset-all rename-section remove-section l|list fixed-value e|edit get-color get-colorbool t|type= bool int
        bool-or-int bool-or-str path expiry-date z|null name-only includes show-origin show-scope default=
    """,
    "git describe": """
        %no %abbr contains debug all tags long first-parent abbrev? exact-match candidates= match= exclude= always
        dirty? broken?
    """,
    "git diff": """
        %no %abbr p|u|patch s|no-patch U|unified= raw stat? numstat shortstat dirstat? X? summary name-only name-status
        cached staged merge-base no-index color? word-diff? w|ignore-all-space b|ignore-space-change ignore-space-at-eol
        ignore-cr-at-eol ignore-blank-lines I|ignore-matching-lines= W|function-context exit-code q|quiet
        M|find-renames? C|find-copies? D|irreversible-delete B|break-rewrites? diff-filter= S= G= O= R a|text z abbrev?
        binary full-index check ext-diff textconv relative? ignore-submodules? submodule? src-prefix= dst-prefix=
        no-prefix output=w patience histogram minimal diff-algorithm= inter-hunk-context= compact-summary find-object=
        pickaxe-regex pickaxe-all 1|base 2|ours 3|theirs 0 c cc patch-with-raw patch-with-stat cumulative
        dirstat-by-file? stat-width= stat-name-width= stat-graph-width= stat-count= ws-error-highlight= line-prefix=
        output-indicator-new= output-indicator-old= output-indicator-context= find-copies-harder no-renames rename-empty
        follow l= indent-heuristic anchored= word-diff-regex= color-words? color-moved? color-moved-ws=
        ita-invisible-in-index ita-visible-in-index rotate-to= skip-to= no-indent-heuristic no-color-moved
        no-color-moved-ws
    """,
    "git difftool": """
        %no %abbr g|gui d|dir-diff y|no-prompt symlinks t|tool= tool-help trust-exit-code x|extcmd= no-index rotate-to=
        skip-to=
    """,
    "git fetch": """
        %no %abbr v|verbose q|quiet all set-upstream a|append atomic upload-pack= f|force m|multiple t|tags n j|jobs=
        prefetch p|prune P|prune-tags recurse-submodules? dry-run write-fetch-head k|keep u|update-head-ok progress
        depth= shallow-since= shallow-exclude= deepen= unshallow refetch update-shallow refmap= o|server-option= 4|ipv4
        6|ipv6 negotiation-tip= negotiate-only filter= auto-maintenance auto-gc show-forced-updates write-commit-graph
        stdin submodule-prefix= recurse-submodules-default=
    """,
    "git filter-branch": """
        f|force d= setup= subdirectory-filter= env-filter= tree-filter= index-filter= parent-filter= msg-filter=
        commit-filter= tag-name-filter= prune-empty original= state-branch= remap-to-ancestor
    """,
    "git filter-repo": """
        %abbr %more analyze path= path-match= path-glob= path-regex= paths-from-file=r invert-paths path-rename=
        subdirectory-filter= to-subdirectory-filter= replace-text=r replace-message=r replace-refs= mailmap=r
        use-base-name force partial dry-run refs= source=c target=c strip-blobs-bigger-than= strip-blobs-with-ids=r
        prune-empty= blob-callback= commit-callback= message-callback=
    """,
    "git for-each-ref": """
        %no %abbr s|shell p|perl python tcl count= format= color? sort= points-at= merged= no-merged= contains=
        no-contains= ignore-case
    """,
    "git format-patch": """
        %no %abbr n|numbered N|no-numbered s|signoff stdout cover-letter numbered-files suffix= start-number=
        v|reroll-count= filename-max-length= rfc cover-from-description= subject-prefix= o|output-directory=
        k|keep-subject no-binary zero-commit ignore-if-in-upstream p|no-stat add-header= to= cc= from? in-reply-to=
        attach? inline? thread? signature= base= signature-file= q|quiet progress interdiff= range-diff=
        creation-factor= force-in-body-from U|unified= output=w output-indicator-new= output-indicator-old=
        output-indicator-context= indent-heuristic no-indent-heuristic minimal patience histogram anchored=
        diff-algorithm= compact-summary numstat shortstat X|dirstat? cumulative dirstat-by-file? summary no-renames
        rename-empty full-index abbrev? B? M|find-renames? C|find-copies? find-copies-harder D|irreversible-delete l= O=
        skip-to= rotate-to= no-relative relative? a|text ignore-cr-at-eol ignore-space-at-eol b|ignore-space-change
        w|ignore-all-space ignore-blank-lines I|ignore-matching-lines= inter-hunk-context= W|function-context ext-diff
        no-ext-diff textconv no-textconv ignore-submodules? src-prefix= dst-prefix= no-prefix line-prefix=
        ita-invisible-in-index always encode-email-headers no-encode-email-headers notes? root
    """,
    "git fsck": """
        %no %abbr v|verbose unreachable dangling tags root cache reflogs full connectivity-only strict lost-found
        progress name-objects
    """,
    "git gc": "%no %abbr q|quiet prune? cruft aggressive auto force keep-largest-pack",
    "git grep": """
        %no %abbr cached no-index untracked exclude-standard recurse-submodules v|invert-match i|ignore-case
        w|word-regexp a|text I textconv r|recursive max-depth= E|extended-regexp G|basic-regexp F|fixed-strings
        P|perl-regexp n|line-number column h H full-name l|files-with-matches name-only L|files-without-match z|null
        o|only-matching c|count color? break heading C|context= B|before-context= A|after-context= threads=
        p|show-function W|function-context f=r e= and or not q|quiet all-match O|open-files-in-pager? ext-grep
        m|max-count=
    """,
    "git hash-object": "%no %abbr %silent :r* t= w stdin stdin-paths no-filters literally path=",
    "git init": "%no %abbr template= bare shared? q|quiet separate-git-dir= b|initial-branch= object-format=",
    "git lfs": "%sub",
    "git lfs migrate": "%sub",
    "git lfs prune": "d|dry-run f|force verify-remote c|verify-unreachable recent when-unverified= v|verbose",
    "git lfs push": "d|dry-run all object-id stdin",
    "git lfs uninstall": "f|force l|local w|worktree system file= skip-repo",
    "git log": """
        %no %abbr %more n|max-count= since= until= after= before= author= committer= grep= S= G= L= O= p|u|patch
        s|no-patch oneline all stat numstat shortstat name-only name-status graph decorate? decorate-refs=
        decorate-refs-exclude= follow reverse merges no-merges first-parent all-match i|regexp-ignore-case
        E|extended-regexp F|fixed-strings P|perl-regexp abbrev-commit abbrev? branches? tags? remotes? glob= exclude=
        skip= pretty? format? date= color? M|find-renames? C|find-copies? B|break-rewrites? diff-filter= U|unified=
        w|ignore-all-space b|ignore-space-change z q|quiet source use-mailmap walk-reflogs|g cherry-pick left-right
        output=w ext-diff textconv ignore-submodules? submodule? word-diff? pickaxe-regex pickaxe-all mailmap
        clear-decorations full-diff log-size since-as-filter= grep-reflog= invert-grep basic-regexp remove-empty
        no-min-parents no-max-parents min-parents= max-parents= exclude-first-parent-only not exclude-hidden= reflog
        alternate-refs single-worktree ignore-missing bisect stdin cherry-mark left-only right-only cherry merge
        boundary simplify-by-decoration show-pulls dense sparse simplify-merges ancestry-path? date-order
        author-date-order topo-order no-walk? do-walk encoding= notes? no-notes standard-notes show-notes?
        show-signature relative-date parents children show-linear-break? diff-merges= combined-all-paths
        output-indicator-new= output-indicator-old= output-indicator-context= raw patch-with-raw t indent-heuristic
        no-indent-heuristic minimal patience histogram anchored= diff-algorithm= compact-summary X|dirstat? cumulative
        dirstat-by-file? summary patch-with-stat color-moved? no-color-moved color-moved-ws= no-color-moved-ws
        word-diff-regex= color-words? no-renames rename-empty check ws-error-highlight= full-index binary
        find-copies-harder D|irreversible-delete l= find-object= skip-to= rotate-to= R no-relative relative? a|text
        ignore-cr-at-eol ignore-space-at-eol ignore-blank-lines I|ignore-matching-lines= inter-hunk-context=
        W|function-context src-prefix= dst-prefix= no-prefix line-prefix= ita-invisible-in-index
    """,
    "git ls-files": """
        %no %abbr z t v f c|cached d|deleted m|modified o|others i|ignored s|stage k|killed directory eol
        empty-directory u|unmerged resolve-undo x|exclude= X|exclude-from= exclude-per-directory= exclude-standard
        full-name recurse-submodules error-unmatch with-tree= abbrev? debug deduplicate sparse format=
    """,
    "git ls-remote": """
        %no %abbr q|quiet upload-pack= t|tags h|heads refs get-url sort= exit-code symref o|server-option=
    """,
    "git ls-tree": "%no %abbr d r t z l|long name-only name-status object-only full-name full-tree format= abbrev?",
    "git merge": """
        %no %abbr n stat summary log? squash commit e|edit cleanup= ff ff-only rerere-autoupdate verify-signatures
        s|strategy= X|strategy-option= m|message= F|file= into-name= v|verbose q|quiet abort quit continue
        allow-unrelated-histories progress S|gpg-sign? autostash overwrite-ignore signoff no-verify
    """,
    "git merge-base": "%no %abbr a|all octopus independent is-ancestor fork-point",
    "git mv": "%no %abbr :rd*,w v|verbose n|dry-run f|force k sparse",
    "git notes": "%no %abbr %sub ref=",
    "git notes add": "%no %abbr m|message= F|file=r c|reedit-message= C|reuse-message= allow-empty f|force",
    "git notes append": "%no %abbr m|message= F|file=r c|reedit-message= C|reuse-message= allow-empty",
    "git notes copy": "%no %abbr f|force stdin for-rewrite=",
    "git notes prune": "%no %abbr n|dry-run v|verbose",
    "git notes remove": "%no %abbr ignore-missing stdin",
    "git pack-refs": "%no %abbr all prune",
    "git prune": "%no %abbr n|dry-run v|verbose progress expire= exclude-promisor-objects",
    "git pull": """
        %no %abbr v|verbose q|quiet progress recurse-submodules? r|rebase? n stat log? signoff? squash commit edit
        cleanup= ff ff-only verify verify-signatures autostash s|strategy= X|strategy-option= S|gpg-sign?
        allow-unrelated-histories all a|append upload-pack= f|force t|tags p|prune j|jobs? dry-run k|keep depth=
        shallow-since= shallow-exclude= deepen= unshallow update-shallow refmap= o|server-option= 4|ipv4 6|ipv6
        negotiation-tip= show-forced-updates set-upstream e summary no-summary atomic negotiate-only prefetch
    """,
    "git push": """
        %no %abbr v|verbose q|quiet repo= all mirror d|delete tags n|dry-run porcelain f|force force-with-lease?
        force-if-includes recurse-submodules= thin receive-pack= exec= u|set-upstream progress prune no-verify
        follow-tags signed? atomic o|push-option= 4|ipv4 6|ipv6
    """,
    "git range-diff": """
        %no %abbr creation-factor= no-dual-color notes? left-only right-only p|patch s|no-patch u U|unified?
        W|function-context raw patch-with-raw patch-with-stat numstat shortstat X|dirstat? cumulative dirstat-by-file?
        check summary name-only name-status stat? stat-width= stat-name-width= stat-graph-width= stat-count=
        compact-summary binary full-index color? ws-error-highlight= z abbrev? src-prefix= dst-prefix= line-prefix=
        no-prefix inter-hunk-context= output-indicator-new= output-indicator-old= output-indicator-context=
        B|break-rewrites? M|find-renames? D|irreversible-delete C|find-copies? find-copies-harder no-renames
        rename-empty follow l= minimal w|ignore-all-space b|ignore-space-change ignore-space-at-eol ignore-cr-at-eol
        ignore-blank-lines I|ignore-matching-lines= indent-heuristic patience histogram diff-algorithm= anchored=
        word-diff? word-diff-regex= color-words? color-moved? color-moved-ws= relative? a|text R exit-code quiet
        ext-diff textconv ignore-submodules? submodule? ita-invisible-in-index ita-visible-in-index S= G= pickaxe-all
        pickaxe-regex O= rotate-to= skip-to= find-object= diff-filter= output=
    """,
    "git read-tree": """
        %no %abbr index-output= empty v|verbose m trivial aggressive reset prefix= u exclude-per-directory= i n|dry-run
        no-sparse-checkout debug-unpack recurse-submodules? q|quiet
    """,
    "git rebase": """
        %no %abbr onto= keep-base no-verify q|quiet v|verbose n|no-stat signoff committer-date-is-author-date
        reset-author-date C= ignore-whitespace whitespace= f|force-rebase no-ff continue skip abort quit edit-todo
        show-current-patch apply m|merge i|interactive rerere-autoupdate empty= autosquash update-refs S|gpg-sign?
        autostash x|exec= r|rebase-merges? fork-point s|strategy= X|strategy-option= root reschedule-failed-exec
        reapply-cherry-picks no-keep-empty keep-empty allow-empty-message ignore-date
    """,
    "git reflog": "%no %abbr %sub",
    "git reflog delete": "%no %abbr n|dry-run rewrite updateref verbose",
    "git reflog exists": "%no %abbr",
    "git reflog expire": """
        %no %abbr n|dry-run rewrite updateref stale-fix expire= expire-unreachable= all single-worktree verbose
    """,
    "git reflog show": "%no %abbr %more",
    "git remote": "%no %abbr %sub v|verbose",
    "git remote add": "%no %abbr f|fetch tags t|track= m|master= mirror?",
    "git remote get-url": "%no %abbr push all",
    "git remote prune": "%no %abbr n|dry-run",
    "git remote remove": "%no %abbr",
    "git remote rename": "%no %abbr progress",
    "git remote rm": ">git remote remove",
    "git remote set-branches": "%no %abbr add",
    "git remote set-head": "%no %abbr a|auto d|delete",
    "git remote set-url": "%no %abbr push add delete",
    "git remote show": "%no %abbr n",
    "git remote update": "%no %abbr p|prune",
    "git repack": """
        %no %abbr a A cruft cruft-expiration= d f F n q|quiet l|local b|write-bitmap-index i|delta-islands
        unpack-unreachable= k|keep-unreachable window= window-memory= depth= threads= max-pack-size= pack-kept-objects
        keep-pack= g|geometric= m|write-midx expire-to=
    """,
    "git replace": "%no %abbr l|list d|delete e|edit g|graft convert-graft-file f|force raw format=",
    "git reset": """
        %no %abbr q|quiet no-refresh mixed soft hard merge keep recurse-submodules? p|patch N|intent-to-add
        pathspec-from-file= pathspec-file-nul U|unified= inter-hunk-context=
    """,
    "git restore": """
        %no %abbr s|source= S|staged W|worktree ignore-unmerged overlay q|quiet recurse-submodules? progress m|merge
        conflict= 2|ours 3|theirs p|patch ignore-skip-worktree-bits pathspec-from-file= pathspec-file-nul U|unified=
        inter-hunk-context=
    """,
    "git rev-list": ">git log",
    "git rev-parse": "%more",
    "git revert": """
        %no %abbr quit continue abort skip cleanup= n|no-commit e|edit s|signoff m|mainline= rerere-autoupdate strategy=
        X|strategy-option= S|gpg-sign? reference
    """,
    "git rm": """
        %no %abbr n|dry-run q|quiet cached f|force r ignore-unmatch sparse pathspec-from-file= pathspec-file-nul
    """,
    "git send-email": """
        %abbr %no %more :rs* to= cc= bcc= from= subject= smtp-server= smtp-user= smtp-pass= in-reply-to= compose
        annotate dry-run force validate confirm= suppress-cc= batch-size= transfer-encoding=
    """,
    "git shortlog": """
        %no %abbr c|committer n|numbered s|summary e|email w? group= format? date= skip= since|after= since-as-filter=
        until|before= author= grep-reflog= grep= all-match invert-grep i|regexp-ignore-case basic-regexp
        E|extended-regexp F|fixed-strings P|perl-regexp remove-empty merges no-merges no-min-parents no-max-parents
        min-parents= max-parents= first-parent exclude-first-parent-only not all branches? tags? remotes? glob= exclude=
        exclude-hidden= reflog alternate-refs single-worktree ignore-missing bisect stdin cherry-mark cherry-pick
        left-only right-only cherry g|walk-reflogs merge boundary simplify-by-decoration show-pulls dense sparse
        simplify-merges ancestry-path?
    """,
    "git show": ">git log",
    "git show-branch": """
        %no %abbr a|all r|remotes color? more? list no-name current sha1-name merge-base independent topo-order topics
        sparse date-order g|reflog?
    """,
    "git show-ref": "%no %abbr tags heads verify head d|dereference s|hash? abbrev? q|quiet exclude-existing?",
    "git sparse-checkout": "%no %abbr %sub",
    "git sparse-checkout set": "%no %abbr cone sparse-index stdin skip-checks",
    "git stash": """
        %no %abbr %sub p|patch k|keep-index S|staged q|quiet u|include-untracked a|all m|message= pathspec-from-file=
        pathspec-file-nul
    """,
    "git stash apply": "%no %abbr index q|quiet",
    "git stash branch": "%no %abbr",
    "git stash clear": "%no %abbr",
    "git stash create": "%no %abbr",
    "git stash drop": "%no %abbr q|quiet",
    "git stash list": "%no %abbr %more",
    "git stash pop": "%no %abbr index q|quiet",
    "git stash push": """
        %no %abbr p|patch k|keep-index S|staged q|quiet u|include-untracked a|all m|message= pathspec-from-file=
        pathspec-file-nul U|unified= inter-hunk-context=
    """,
    "git stash save": "%no %abbr p|patch k|keep-index S|staged q|quiet u|include-untracked a|all m|message=",
    "git stash show": "%no %abbr %more u|include-untracked only-untracked",
    "git stash store": "%no %abbr m|message= q|quiet",
    "git status": """
        %no %abbr v|verbose s|short b|branch show-stash ahead-behind porcelain? long z|null u|untracked-files? ignored?
        ignore-submodules? column? no-renames M|find-renames?
    """,
    "git submodule": "%sub q|quiet cached",
    "git submodule add": "q|quiet b|branch= f|force name= reference= depth= progress",
    "git submodule deinit": "q|quiet f|force all",
    "git submodule foreach": "%stop q|quiet recursive",
    "git submodule init": "q|quiet",
    "git submodule status": "q|quiet cached recursive",
    "git submodule sync": "q|quiet recursive",
    "git submodule update": """
        q|quiet init remote N|no-fetch f|force checkout merge rebase no-recommend-shallow recommend-shallow reference=
        recursive single-branch depth= j|jobs= filter= progress
    """,
    "git switch": """
        %no %abbr c|create= C|force-create= guess discard-changes q|quiet recurse-submodules? progress m|merge conflict=
        d|detach t|track? f|force orphan= overwrite-ignore ignore-other-worktrees
    """,
    "git symbolic-ref": "%no %abbr q|quiet d|delete short recurse m=",
    "git tag": """
        %no %abbr l|list n? d|delete v|verify a|annotate m|message= F|file=r e|edit s|sign cleanup= u|local-user=
        f|force create-reflog column? contains= no-contains= merged= no-merged= sort= points-at= format= color?
        i|ignore-case
    """,
    "git update-index": """
        %no %abbr q ignore-submodules add replace remove unmerged refresh really-refresh cacheinfo= chmod=
        assume-unchanged no-assume-unchanged skip-worktree no-skip-worktree ignore-skip-worktree-entries info-only
        force-remove z stdin index-info unresolve g|again ignore-missing verbose clear-resolve-undo index-version=
        split-index untracked-cache test-untracked-cache force-untracked-cache force-write-index fsmonitor
        fsmonitor-valid no-fsmonitor-valid
    """,
    "git update-ref": "%no %abbr m= d no-deref z stdin create-reflog",
    "git verify-commit": "%no %abbr v|verbose raw",
    "git whatchanged": ">git log",
    "git worktree": "%no %abbr %sub",
    "git worktree add": "%no %abbr f|force b= B= d|detach checkout lock reason= q|quiet track guess-remote orphan",
    "git worktree list": "%no %abbr porcelain v|verbose expire= z",
    "git worktree lock": "%no %abbr reason=",
    "git worktree move": "%no %abbr f|force",
    "git worktree prune": "%no %abbr n|dry-run v|verbose expire=",
    "git worktree remove": "%no %abbr f|force",
    "git worktree repair": "%no %abbr",
    "git worktree unlock": "%no %abbr",
    "git write-tree": "%no %abbr missing-ok prefix=",
    "git-lfs": ">git lfs",
    "gitleaks": "%sub %anywhere %more",
    "glab": "%sub %anywhere %more R|repo= h|help",
    "go": "%sub %single C=c",
    "go build": """
        %single o=w tags= ldflags= gcflags= asmflags= mod= modfile= race v x work n a i p= buildmode= buildvcs? trimpath
        cover C=c msan asan compiler= gccgoflags= installsuffix= linkshared modcacherw overlay= pkgdir= toolexec=
    """,
    "go clean": "%single i r n x cache testcache modcache fuzzcache C=c",
    "go env": "%single w u json",
    "go get": "%single u t d v x insecure tags= modfile= mod=",
    "go mod": "%sub",
    "go run": "%single %stop exec= tags= ldflags= gcflags= mod= modfile= race v x work n a p= o=w C=c",
    "go test": """
        %single %more run= bench= timeout= count= cover coverprofile=w race v tags= o=w C=c json short parallel= p= list
        failfast args c exec= i
    """,
    "gofmt": "%single :r* w l d s e r= cpuprofile=",
    "gofumpt": ">gofmt",
    "goimports": ">gofmt",
    "goose": """
        %single %more dir=r table= h v s version no-versioning allow-missing certfile= ssl-cert= ssl-key=
        timeout= env=
    """,
    "gpg": """
        %abbr %more o|output=w r|recipient= R|hidden-recipient= u|local-user= homedir= passphrase= passphrase-file=r
        passphrase-fd= batch yes a|armor c|symmetric e|encrypt s|sign b|detach-sign d|decrypt verify import export
        export-secret-keys keyserver=h recv-keys send-keys delete-keys delete-secret-keys delete-secret-and-public-key
        list-keys k K|list-secret-keys list-packets clear-sign|clearsign dearmor enarmor default-key= trust-model=
        cipher-algo= digest-algo= compress-algo= keyring= no-default-keyring options=r status-fd= pinentry-mode= quiet q
        v|verbose z= t|textmode n|dry-run i|interactive gen-key full-generate-key edit-key quick-generate-key multifile
        f|recipient-file=r
    """,
    "gpg2": ">gpg",
    "gpgv": ":r* keyring= status-fd= homedir=",
    "gradle": """
        %more b|build-file=r c|settings-file=r p|project-dir=c x|exclude-task= I|init-script=r D? P? g|gradle-user-home=
        max-workers=
    """,
    "gradlew": ">gradle",
    "grep": """
        %abbr E|extended-regexp F|fixed-strings G|basic-regexp P|perl-regexp e|regexp= f|file=r i|ignore-case
        no-ignore-case w|word-regexp x|line-regexp z|null-data s|no-messages v|invert-match V|version help m|max-count=
        b|byte-offset n|line-number line-buffered H|with-filename h|no-filename label= o|only-matching q|quiet|silent
        binary-files= a|text I d|directories= D|devices= r|recursive R|dereference-recursive include= exclude=
        exclude-from=r exclude-dir= L|files-without-match l|files-with-matches c|count T|initial-tab Z|null
        B|before-context= A|after-context= C|context= group-separator= no-group-separator color? colour? U|binary
    """,
    "groupdel": "f|force R|root= P|prefix=",
    "groups": "%abbr help version",
    "grpcurl": "%single %more :h,- d= H= import-path= proto=r cacert= cert= key= plaintext insecure",
    "gsutil": "%sub D DD h= m o= q u= i=",
    "gsutil cat": "h r=",
    "gsutil cp": "a= A c D e I j= J L= M n p P R r s= U v z= Z",
    "gsutil mv": ">gsutil cp",
    "gsutil rm": "f r R a I",
    "gsutil rsync": "a= c C d e i j= J n p P r R u U x= y=",
    "gunzip": ">gzip",
    "gvim": ">vim",
    "gzcat": "%decodes :r*",
    "gzip": """
        %abbr :rwd* c|stdout d|decompress f|force h|help k|keep l|list L|license n|no-name N|name q|quiet r|recursive
        rsyncable S|suffix= synchronous t|test v|verbose V|version 1|fast 9|best a|ascii to-stdout uncompress #
    """,
    "halt": ">reboot",
    "hcloud": "%sub %anywhere %more context= config= o|output= poll-interval= quiet",
    "hd": ">hexdump",
    "hdiutil": "%sub %single %more",
    "hdparm": "%more",
    "head": "%abbr :r* c|bytes= n|lines= q|quiet|silent v|verbose z|zero-terminated help version",
    "helm": """
        %sub %anywhere %more n|namespace= kube-context= kubeconfig= kube-apiserver= kube-as-user= kube-as-group=
        kube-ca-file= kube-token= kube-tls-server-name= registry-config= repository-cache= repository-config=
        burst-limit= qps= debug dry-run? keep-history no-hooks wait cascade= timeout= description= ignore-not-found
        f|values=r set= set-string= set-file= set-json= version= repo=U post-renderer=
    """,
    "helmfile": """
        %sub %anywhere %more e|environment= f|file=r n|namespace= l|selector= kube-context= b|helm-binary=
        state-values-set= state-values-file=r log-level= q|quiet i|interactive
    """,
    "heroku": "%sub %anywhere %more a|app= r|remote= c|confirm= t|team=",
    "hexdump": """
        %abbr :r* b|one-byte-octal c|one-byte-char C|canonical d|two-bytes-decimal o|two-bytes-octal x|two-bytes-hex
        L|color? e|format= f|format-file= n|length= s|skip= v|no-squeezing h|help V|version
    """,
    "hg": "%sub %anywhere %more R|repository= cwd=c config= encoding= q|quiet v|verbose y|noninteractive",
    "host": "%more t= W= c= R= m= N= 4 6 a C d l r s T U v w",
    "http": """
        %more :u,-* o|output=w d|download c|continue f|form j|json multipart boundary= raw= x|compress p|print=
        h|headers b|body m|meta v|verbose all stream s|style= pretty= format-options= response-charset= response-mime= S
        q|quiet session= session-read-only= a|auth= A|auth-type= ignore-netrc offline proxy= F|follow max-redirects=
        max-headers= timeout= check-status path-as-is chunked verify= ssl= ciphers= cert= cert-key= cert-key-pass=
        I|ignore-stdin default-scheme= debug
    """,
    "httpie": "%sub",
    "https": ">http",
    "hub": "%sub %more C=c",
    "ibmcloud": "%sub %more",
    "id": "%abbr a Z|context g|group G|groups n|name r|real u|user z|zero help version",
    "indent": "%more",
    "influx": "%sub %anywhere %more host= t|token= o|org= c|active-config= configs-path= skip-verify http-debug",
    "init": "",
    "insmod": ":r,-*",
    "install": """
        %abbr :r*,w backup? b c C|compare d|directory D g|group= m|mode= o|owner= p|preserve-timestamps s|strip
        strip-program= S|suffix= t|target-directory=W T|no-target-directory v|verbose preserve-context Z context? help
        version
    """,
    "ionice": "%stop %abbr c|class= n|classdata= p|pid= P|pgid= t|ignore u|uid= h|help V|version",
    "ip": "%more n|netns= f|family= b|batch=r",
    "ip6tables": ">iptables",
    "iptables": """
        %more A|append= D|delete= I|insert= F|flush? L|list? P|policy= t|table= j|jump= s|source= d|destination=
        p|protocol= i|in-interface= o|out-interface= m|match= dport= sport= X? N= Z?
    """,
    "isort": "%more :rw* c|check-only|check d|diff l|line-length= profile= sp|settings-path= q|quiet v|verbose",
    "istioctl": "%sub %anywhere %more n|namespace= c|kubeconfig= context= i|istioNamespace=",
    "java": """
        %stop %single cp= classpath= class-path= jar= m= module= p= module-path= add-modules= add-opens= add-exports=
        add-reads= version showversion help D? X? ea da server client
    """,
    "javac": "%single %more :r* d= cp= classpath= sourcepath= source= target= release=",
    "jj": "%sub %anywhere %more R|repository= config= at-operation|at-op= ignore-working-copy color= quiet no-pager",
    "join": """
        %abbr :r* a= e= i|ignore-case j= o= t= v= 1= 2= check-order nocheck-order header z|zero-terminated help version
    """,
    "journalctl": """
        %abbr %more u|unit= n|lines? since|S= until|U= p|priority= o|output= f|follow b|boot? vacuum-size= vacuum-time=
        vacuum-files= rotate flush t|identifier= D|directory= file= M|machine= k|dmesg r|reverse no-pager q|quiet
        g|grep= e|pager-end x|catalog
    """,
    "jq": """
        args jsonargs arg= argjson= slurpfile= rawfile= f|from-file=r L= n|null-input e|exit-status s|slurp r|raw-output
        R|raw-input a|ascii-output C|color-output M|monochrome-output S|sort-keys c|compact-output j|join-output tab
        indent= unbuffered stream stream-errors seq h|help V|version build-configuration raw-output0 b|binary
    """,
    "just": "%more f|justfile=r d|working-directory=c set=",
    "k3s": "%stop",
    "k9s": "%more",
    "kafka-consumer-groups": """
        %more bootstrap-server= group= topic= command-config=r timeout= offsets delete delete-offsets reset-offsets
        execute dry-run to-earliest to-latest to-offset= to-datetime= shift-by= by-duration= from-file=r all-groups
        all-topics describe list members state? verbose export
    """,
    "kafka-consumer-groups.sh": ">kafka-consumer-groups",
    "kafka-topics": """
        %more bootstrap-server= topic= zookeeper= command-config=r partitions= replication-factor= config=
        replica-assignment= delete create alter list describe if-exists if-not-exists
    """,
    "kafka-topics.sh": ">kafka-topics",
    "kill": "s|signal= n= l|list? L|table q=",
    "killall": """
        e|exact I|ignore-case g|process-group y|younger-than= o|older-than= i|interactive l|list q|quiet r|regexp
        s|signal= u|user= v|verbose w|wait n|ns= Z|context=
    """,
    "kind": "%sub %more",
    "ksh": ">bash",
    "kubectl": """
        %sub %anywhere %more n|namespace= context= cluster= user= kubeconfig= s|server= token= as= as-group= as-uid=
        cache-dir= certificate-authority= client-certificate= client-key= insecure-skip-tls-verify log-flush-frequency=
        match-server-version password= profile= profile-output= request-timeout= tls-server-name= username= v= vmodule=
        warnings-as-errors disable-compression l|selector= o|output= A|all-namespaces field-selector= all dry-run?
        cascade? force now wait grace-period= timeout= ignore-not-found R|recursive f|filename=r k|kustomize= template=
        field-manager= show-labels w|watch raw=
    """,
    "kubectl apply": """
        prune prune-allowlist= prune-whitelist= server-side force-conflicts overwrite validate? openapi-patch
        allow-missing-template-keys show-managed-fields subresource=
    """,
    "kubectl cp": "c|container= no-preserve retries=",
    "kubectl create": """
        %more allow-missing-template-keys edit save-config show-managed-fields validate= windows-line-endings
    """,
    "kubectl debug": """
        %more arguments-only attach c|container= copy-to= custom= env= image= image-pull-policy= keep-annotations
        keep-init-containers keep-labels keep-liveness keep-readiness keep-startup q|quiet replace same-node set-image=
        share-processes i|stdin target= t|tty
    """,
    "kubectl delete": "i|interactive",
    "kubectl describe": "%more chunk-size= show-events",
    "kubectl drain": """
        %more chunk-size= delete-emptydir-data disable-eviction ignore-daemonsets pod-selector=
        skip-wait-for-delete-timeout=
    """,
    "kubectl edit": """
        %more allow-missing-template-keys output-patch save-config show-managed-fields subresource= validate=
        windows-line-endings
    """,
    "kubectl exec": "%stop2 c|container= i|stdin t|tty q|quiet pod-running-timeout=",
    "kubectl get": """
        %more allow-missing-template-keys chunk-size= L|label-columns= no-headers output-watch-events server-print
        show-kind show-managed-fields sort-by= subresource= watch-only
    """,
    "kubectl logs": """
        c|container= p|previous tail= since= since-time= max-log-requests= limit-bytes= all-containers timestamps prefix
        f|follow all-pods ignore-errors insecure-skip-tls-verify-backend pod-running-timeout=
    """,
    "kubectl patch": """
        %more allow-missing-template-keys local p|patch= patch-file= show-managed-fields subresource= type=
    """,
    "kubectl port-forward": "%more address= pod-running-timeout=",
    "kubectl run": """
        image= env= labels|l= port= restart= rm i|stdin t|tty attach command overrides= override-type=
        image-pull-policy= annotations= expose privileged q|quiet leave-stdin-open allow-missing-template-keys
        pod-running-timeout= save-config show-managed-fields
    """,
    "kubectl scale": """
        %more allow-missing-template-keys current-replicas= replicas= resource-version= show-managed-fields
    """,
    "kustomize": "%sub %more",
    "launchctl": "%sub %anywhere w F k p s S= D=",
    "ld": "%more %single :r* o=w L? l? T= m= e= u= r s",
    "less": """
        :r* a A b= B c C d e E f F g G h= i I j= J k|lesskey-file=r K l? m M n N o=w O=w p= P= q Q r R s S t= T= u U
        V w W x= X y= z= ~
    """,
    "lftp": ":u,- e= c= f=r u= p= d",
    "link": "%abbr :r,w help version",
    "links": "%single %downloads %more :u* dump source",
    "linode-cli": "%sub %anywhere %more",
    "liquibase": "%sub %anywhere %more",
    "ln": """
        %abbr :r*,w backup? b d|F|directory f|force i|interactive L|logical n|no-dereference P|physical r|relative
        s|symbolic S|suffix= t|target-directory=W T|no-target-directory v|verbose help version
    """,
    "losetup": "%more o|offset= d|detach D a f|find P",
    "ls": """
        %abbr a|all A|almost-all author b|escape block-size= B|ignore-backups c C color? d|directory D|dired f
        F|classify? file-type format= full-time g group-directories-first G|no-group h|human-readable si
        H|dereference-command-line dereference-command-line-symlink-to-dir hide= hyperlink? indicator-style= i|inode
        I|ignore= k|kibibytes l L|dereference m n|numeric-uid-gid N|literal o p= q|hide-control-chars show-control-chars
        Q|quote-name quoting-style= r|reverse R|recursive s|size S sort= time= time-style= t T|tabsize= u U v w|width= x
        X Z|context zero 1 help version
    """,
    "lsof": "%more",
    "ltrace": """
        %stop %more %abbr A= a|align= D|debug= e= F|config= l|library= n|indent= o|output=w p= s= u= w|where= x=
        b|no-signals C|demangle c f i L r S t T h|help V|version
    """,
    "lua": "%stop e= l= i v E W",
    "lvremove": "%more f|force y|yes",
    "lxc": "%sub %more",
    "lynx": "%single %downloads %more :u* dump source",
    "lz4": ":r,w d z t l k|keep rm c|stdout f|force m r q v D=",
    "lzcat": "%decodes :r*",
    "lzma": ">xz",
    "magick": "",
    "mail": "%more s= a= c= b= r= A= S= q=r f? u= t v n i E ~",
    "mailx": ">mail",
    "make": """
        %abbr %more b|m B|always-make C|directory=c d debug? e|environment-overrides E|eval= f|file|makefile=r h|help
        i|ignore-errors I|include-dir= j|jobs? k|keep-going l|load-average|max-load? L|check-symlink-times
        n|just-print|dry-run|recon o|old-file|assume-old= O|output-sync? p|print-data-base q|question r|no-builtin-rules
        R|no-builtin-variables s|silent|quiet no-silent S|no-keep-going|stop t|touch trace v|version w|print-directory
        no-print-directory W|what-if|new-file|assume-new= warn-undefined-variables
    """,
    "mamba": ">conda",
    "mariadb": ">mysql",
    "mariadb-admin": ">mysqladmin",
    "mariadb-dump": ">mysqldump",
    "mawk": ">awk",
    "mc": """
        %sub %anywhere %more C|config-dir= q|quiet no-color json debug insecure force dangerous recursive|r versions
        older-than= newer-than= bypass fake dry-run
    """,
    "md5sum": """
        %abbr %silent :r* b|binary c|check tag t|text z|zero ignore-missing quiet status strict w|warn help version
    """,
    "meson": "%sub %more",
    "micro": "%single %more :rw*",
    "microdnf": ">yum",
    "micromamba": ">conda",
    "minikube": "%sub %anywhere %more p|profile=",
    "mkdir": "%abbr :w* m|mode= p|parents v|verbose Z context? help version",
    "mke2fs": ">mkfs",
    "mkfifo": "%abbr :w* m|mode= Z context? help version",
    "mkfs": "%more :w,- t= L= b= m= E= O= F N= U= i= I= T= q v n c V",
    "mknod": "%abbr :w,-* m|mode= Z context? help version",
    "mksh": ">bash",
    "mkswap": ":w,- c|check f|force p|pagesize= L|label= v U|uuid=",
    "mktemp": "%abbr d|directory u|dry-run q|quiet suffix= p= tmpdir? t help version",
    "mmv": "%more",
    "modprobe": "%more C|config= d|dirname= r|remove n|dry-run f|force",
    "mongo": ">mongosh",
    "mongodump": """
        %more uri=U h|host=h port= u|username= p|password= d|db= c|collection= o|out=w archive? q|query= gzip
    """,
    "mongorestore": """
        %more :r uri=U h|host=h port= u|username= p|password= d|db= c|collection= archive? dir=r drop gzip nsInclude=
        nsExclude= nsFrom= nsTo= dryRun
    """,
    "mongosh": """
        %more :U host=h port= u|username= p|password= eval= f|file=r authenticationDatabase= authenticationMechanism=
        tlsCAFile= tlsCertificateKeyFile= norc nodb quiet json? tls shell
    """,
    "more": ":r* d f l p c s u n|lines=",
    "mosh": """
        %stop2 %more ssh= p|port= 4 6 a n client= server= ssh-pty predict= predict-overwrite o family= bind-server=
        no-init local experimental-remote-ip=
    """,
    "most": ":r*",
    "mount": """
        o= t|types= O= L= U= a|all r|read-only w|rw B|bind R|rbind M|move n v l T= N= make-private make-shared source=
        target=
    """,
    "msmtp": "%more f= a= C|file=r t host=h from= account=",
    "mtr": "%more :h c= i= r w n",
    "mutt": "a;rs s= c= b= i=rs H=r e= F=r f= x n",
    "mv": """
        %abbr :rd+*,w backup? b f|force i|interactive n|no-clobber strip-trailing-slashes S|suffix= t|target-directory=W
        T|no-target-directory u|update v|verbose Z|context help version
    """,
    "mvn": """
        %more f|file=r s|settings=r pl|projects= P|activate-profiles= D? T|threads= gs|global-settings=r l|log-file=w
    """,
    "mysql": """
        %abbr %more h|host=h P|port= u|user= p|password? D|database= e|execute= S|socket= protocol= ssl-ca= ssl-cert=
        ssl-key= defaults-file=r defaults-extra-file=r default-character-set= init-command= delimiter= tee=w B|batch
        s|silent N|skip-column-names f|force v|verbose t|table E|vertical A|no-auto-rehash print-defaults no-defaults
        defaults-group-suffix= help I abort-source-on-error auto-rehash auto-vertical-output binary-as-hex binary-mode
        character-sets-dir= column-names column-type-info c|comments C|compress connect-expired-password
        connect-timeout= # debug? debug-check T|debug-info default-auth= enable-cleartext-plugin H|html line-numbers
        L|skip-line-numbers local-infile max-allowed-packet= max-join-size= G|named-commands net-buffer-length=
        b|no-beep o|one-database pager? plugin-dir= print-query-on-error progress-reports prompt= q|quick
        quick-max-column-width= r|raw reconnect U|safe-updates i-am-a-dummy sandbox secure-auth select-limit=
        server-arg= show-warnings sigint-ignore ssl ssl-capath= ssl-cipher= ssl-crl= ssl-crlpath= tls-version=
        ssl-verify-server-cert n|unbuffered V|version w|wait X|xml
    """,
    "mysqladmin": """
        %abbr %more h|host=h P|port= u|user= p|password? S|socket= f|force i|sleep= c|count= s|silent v|verbose
        defaults-file=r
    """,
    "mysqldump": """
        %abbr %more h|host=h P|port= u|user= p|password? S|socket= r|result-file=w w|where= B|databases A|all-databases
        d|no-data t|no-create-info T|tab= defaults-file=r ignore-table= single-transaction
    """,
    "mysqlimport": "%abbr %more h|host=h P|port= u|user= p|password?",
    "nano": """
        :rw* A|smarthome B|backup C|backupdir= D E F G H I J|guidestripe= K L M N O P Q|quotestr= R S T|tabsize= U V W
        X|wordchars= Y|syntax= Z a c d e f|rcfile= g h i j k l m n o|operatingdir= p q r|fill= s|speller= t u v w x y z
    """,
    "nats": """
        %sub %anywhere %more s|server= user= password= creds= nkey= tlscert= tlskey= tlsca= timeout= context= js-domain=
        js-api-prefix= js-event-prefix= inbox-prefix= connection-name= color= trace socks-proxy= no-context force|f
    """,
    "nawk": ">awk",
    "nc": """
        %more 4 6 b C D F h k l N n r S t U u v Z z c= e= I= i= M= m= O= o= P= p= q= s= T= V= W= w= X= x= g= G= exec=
        sh-exec= lua-exec= source-port= source= wait= delay= idle-timeout= ssl ssl-cert= ssl-key= ssl-verify
        ssl-trustfile= proxy= proxy-type= proxy-auth= output=w hex-dump=w append-output max-conns= allow= allowfile=r
        deny= denyfile=r broker chat listen keep-open udp sctp unixsock send-only recv-only no-shutdown telnet verbose
        nodns crlf vsock
    """,
    "nc.openbsd": ">nc",
    "ncat": ">nc",
    "ncdu": "%more o=w f=r x e r",
    "nerdctl": ">docker",
    "netcat": ">nc",
    "netlify": "%sub %anywhere %more auth= s|site= filter= f|force",
    "nft": "%more f|file=r c|check i|interactive a|handle j|json",
    "nginx": "c=r g= p= s= t T q v V e=w h",
    "nice": "%stop %abbr n|adjustment= help version",
    "ninja": "C=c f=r j= k= l= n v t= d= w=",
    "nix": "%sub %more",
    "nix-env": "%more i|install= e|uninstall= A|attr f|file= p|profile=",
    "nl": """
        %abbr :r* b|body-numbering= d|section-delimiter= f|footer-numbering= h|header-numbering= i|line-increment=
        l|join-blank-lines= n|number-format= p|no-renumber s|number-separator= v|starting-line-number= w|number-width=
        help version
    """,
    "nmap": """
        %single %more :h* p= oN=w oX=w oG=w oA=w iL=r e= D= S= script= script-args= max-retries= host-timeout= T=
        exclude= excludefile=r
    """,
    "node": """
        %stop e|eval= p|print= r|require= c|check i|interactive v|version h|help C|conditions= import=
        loader|experimental-loader= input-type= env-file=r max-old-space-size? inspect? inspect-brk? test watch harmony
        title= no-warnings trace-warnings abort-on-uncaught-exception allow-addons allow-child-process allow-fs-read=
        allow-fs-write= allow-wasi allow-worker build-snapshot build-snapshot-config= completion-bash cpu-prof
        cpu-prof-dir=w cpu-prof-interval= cpu-prof-name= diagnostic-dir= disable-proto= disable-warning=
        disallow-code-generation-from-strings dns-result-order= enable-etw-stack-walking enable-fips enable-source-maps
        env-file-if-exists=r experimental-default-type= experimental-eventsource experimental-import-meta-resolve
        experimental-network-imports experimental-network-inspection experimental-permission experimental-policy=
        experimental-print-required-tla experimental-sea-config= experimental-test-coverage
        experimental-test-module-mocks experimental-vm-modules experimental-websocket expose-gc force-context-aware
        force-fips force-node-api-uncaught-exceptions-policy frozen-intrinsics heap-prof heap-prof-dir=w
        heap-prof-interval= heap-prof-name= heapsnapshot-near-heap-limit= heapsnapshot-signal=
        huge-max-old-generation-size icu-data-dir= insecure-http-parser debug-port|inspect-port= inspect-publish-uid=
        inspect-wait? interpreted-frames-native-stack jitless max-http-header-size=
        network-family-autoselection-attempt-timeout= no-addons no-deprecation no-experimental-detect-module
        no-experimental-fetch no-experimental-global-customevent no-experimental-global-webcrypto
        no-experimental-repl-await no-experimental-require-module no-extra-info-on-fatal-exception
        no-force-async-hooks-checks no-global-search-paths enable-network-family-autoselection
        no-network-family-autoselection node-memory-debug openssl-config= openssl-legacy-provider openssl-shared-config
        pending-deprecation policy-integrity= preserve-symlinks preserve-symlinks-main prof prof-process
        redirect-warnings=w report-compact report-dir|report-directory=w report-exclude-network report-filename=
        report-on-fatalerror report-on-signal report-signal= secure-heap= secure-heap-min= snapshot-blob=
        test-concurrency= test-force-exit test-name-pattern= test-only test-reporter= test-reporter-destination=
        test-shard= test-timeout= throw-deprecation tls-cipher-list= tls-keylog= tls-max-v1.2 tls-max-v1.3 tls-min-v1.0
        tls-min-v1.1 tls-min-v1.2 tls-min-v1.3 trace-atomics-wait trace-deprecation trace-event-categories=
        trace-event-file-pattern= trace-exit trace-promises trace-require-module= trace-sigint trace-sync-io trace-tls
        trace-uncaught track-heap-objects unhandled-rejections= use-bundled-ca use-largepages= use-openssl-ca v8-options
        v8-pool-size= watch-path= watch-preserve-output zero-fill-buffers experimental-shadow-realm
        experimental-wasi-unstable-preview1 napi-modules report-uncaught-exception trace-events-enabled run=
        experimental-config-file= stack-trace-limit?
    """,
    "nodejs": ">node",
    "nohup": "%stop %abbr help version",
    "nomad": """
        %sub %anywhere %single %more address= region= namespace= token= ca-cert= ca-path= client-cert= client-key= purge
        detach yes global force verbose
    """,
    "npm": """
        %sub %anywhere %more prefix|C= registry=U w|workspace= userconfig= globalconfig= cache= loglevel= otp= tag=
        access= script-shell= omit= include= g|global f|force y|yes s|silent q|quiet d|verbose json dry-run save
        save-dev|D save-exact|E no-save ignore-scripts allow-directory= allow-file= allow-git= allow-remote=
        allow-scripts= also= audit-level= auth-type= before= ca= cache-max= cache-min= cafile= call= cert= cidr= cpu=
        depth= diff= diff-dst-prefix= diff-src-prefix= diff-unified= editor= expect-result-count= expires=
        fetch-retries= fetch-retry-factor= fetch-retry-maxtimeout= fetch-retry-mintimeout= fetch-timeout= git= heading=
        https-proxy= init-author-email= init-author-name= init-author-url= init-license= init-module= init-type=
        init-version= install-strategy= key= libc= local-address= location= lockfile-version= logs-dir= logs-max= name=
        maxsockets= message= min-release-age= min-release-age-exclude= node-gyp= node-options= noproxy= only= orgs= os=
        package= pack-destination= packages= preid= provenance-file= proxy= replace-registry-host= save-prefix=
        sbom-format= sbom-type= scope= scopes= packages-and-scopes-permission= orgs-permission= password=
        token-description= searchexclude= searchlimit= searchopts= searchstaleness= shell= tag-version-prefix= umask=
        user-agent= viewer= which= all allow-same-version audit bin-links bypass-2fa commit-hooks
        dangerously-allow-all-scripts description dev diff-ignore-all-space diff-name-only diff-no-prefix diff-text
        engine-strict expect-results foreground-scripts format-package-lock fund git-tag-version global-style if-present
        include-staged include-workspace-root include-attestations init-private install-links legacy-bundling
        legacy-peer-deps link long offline omit-lockfile-registry-resolved optional package-lock package-lock-only
        parseable allow-scripts-pending allow-scripts-pin prefer-dedupe prefer-offline prefer-online production progress
        provenance read-only rebuild-bundle save-bundle save-optional save-peer save-prod packages-all shrinkwrap
        sign-git-commit sign-git-tag strict-peer-deps strict-allow-scripts strict-ssl timing unicode update-notifier
        usage version versions workspaces workspaces-update color? browser? L= S B O P l a
    """,
    "npm add": ">npm install",
    "npm audit": """
        %more audit-level= package-lock-only no-package-lock foreground-scripts include-attestations workspaces
        include-workspace-root install-links package-lock
    """,
    "npm ci": """
        %more install-strategy= legacy-bundling global-style strict-peer-deps foreground-scripts allow-directory=
        allow-file= allow-git= allow-remote= allow-scripts= strict-allow-scripts dangerously-allow-all-scripts no-audit
        no-bin-links no-fund workspaces include-workspace-root install-links audit bin-links fund
    """,
    "npm exec": """
        %stop c|call= package= y|yes workspaces include-workspace-root allow-scripts= strict-allow-scripts
        dangerously-allow-all-scripts
    """,
    "npm i": ">npm install",
    "npm install": """
        :U* install-strategy= legacy-bundling global-style strict-peer-deps prefer-dedupe no-package-lock
        package-lock-only foreground-scripts allow-directory= allow-file= allow-git= allow-remote= allow-scripts=
        strict-allow-scripts dangerously-allow-all-scripts no-audit before= min-release-age= min-release-age-exclude=
        no-bin-links no-fund cpu= os= libc= workspaces include-workspace-root install-links S package-lock audit
        bin-links fund
    """,
    "npm publish": ":rs workspaces include-workspace-root provenance-file=",
    "npm run": "%more workspaces include-workspace-root if-present foreground-scripts",
    "npm uninstall": "%more workspaces include-workspace-root install-links S",
    "npm update": """
        %more install-strategy= legacy-bundling global-style strict-peer-deps no-package-lock foreground-scripts
        allow-scripts= strict-allow-scripts dangerously-allow-all-scripts no-audit before= min-release-age=
        min-release-age-exclude= no-bin-links no-fund workspaces include-workspace-root install-links S package-lock
        audit bin-links fund
    """,
    "npm version": """
        %more allow-same-version no-commit-hooks no-git-tag-version preid= sign-git-tag workspaces no-workspaces-update
        include-workspace-root commit-hooks git-tag-version S workspaces-update
    """,
    "npm x": ">npm exec",
    "nproc": "%abbr all ignore= help version",
    "npx": """
        %stop c|call= p|package= y|yes no registry=U q|quiet prefix= w|workspace= no-install ignore-existing shell=
        cache= userconfig= workspaces include-workspace-root allow-scripts= strict-allow-scripts
        dangerously-allow-all-scripts %more C= access= allow-directory= allow-file= allow-git= allow-remote= also=
        audit-level= auth-type= before= ca= cache-max= cache-min= cafile= cert= cidr= cpu= depth= diff= diff-dst-prefix=
        diff-src-prefix= diff-unified= editor= expect-result-count= expires= fetch-retries= fetch-retry-factor=
        fetch-retry-maxtimeout= fetch-retry-mintimeout= fetch-timeout= git= globalconfig= heading= https-proxy= include=
        init-author-email= init-author-name= init-author-url= init-license= init-module= init-type= init-version=
        install-strategy= key= libc= local-address= location= lockfile-version= loglevel= logs-dir= logs-max= name=
        maxsockets= message= min-release-age= min-release-age-exclude= node-gyp= node-options= noproxy= omit= only=
        orgs= os= otp= pack-destination= packages= preid= provenance-file= proxy= replace-registry-host= save-prefix=
        sbom-format= sbom-type= scope= scopes= packages-and-scopes-permission= orgs-permission= password=
        token-description= script-shell= searchexclude= searchlimit= searchopts= searchstaleness= tag=
        tag-version-prefix= umask= user-agent= viewer= which= all allow-same-version audit bin-links bypass-2fa
        commit-hooks description dev diff-ignore-all-space diff-name-only diff-no-prefix diff-text dry-run engine-strict
        expect-results force foreground-scripts format-package-lock fund git-tag-version global global-style if-present
        ignore-scripts include-staged include-attestations init-private install-links json legacy-bundling
        legacy-peer-deps link long offline omit-lockfile-registry-resolved optional package-lock package-lock-only
        parseable allow-scripts-pending allow-scripts-pin prefer-dedupe prefer-offline prefer-online production progress
        provenance read-only rebuild-bundle save save-bundle save-dev save-exact save-optional save-peer save-prod
        packages-all shrinkwrap sign-git-commit sign-git-tag strict-peer-deps strict-ssl timing unicode update-notifier
        usage version versions workspaces-update color? browser? L= S B O P l a s|silent
    """,
    "nsenter": """
        %stop %abbr t|target= N|net-socket= m|mount? u|uts? i|ipc? n|net? p|pid? C|cgroup? U|user? a|all S|setuid=
        G|setgid= r|root? w|wd? F|no-fork T time? W Z|follow-context h|help V|version preserve-credentials wdns?
    """,
    "nslookup": "",
    "nuget": "%sub %more",
    "nvim": ">vim",
    "objcopy": "%more :r,w O= I= j= R=",
    "oc": ">kubectl",
    "oci": "%sub %anywhere %more profile= region= config-file=r output= query= compartment-id= force",
    "od": """
        %abbr :r* A|address-radix= endian= j|skip-bytes= N|read-bytes= S|strings= t|format= v|output-duplicates w|width?
        traditional help version a b c d f i l o s x
    """,
    "op": """
        %sub %anywhere %more account= config= cache? debug encoding= format= iso-timestamps no-color session= vault=
        archive
    """,
    "op run": "%stop %more env-file=r environment= no-masking",
    "open": ":r* a= b= e t f W R n g j h= u= s=",
    "openssl": "%sub",
    "openssl base64": "%single in=r out=w e d A a",
    "openssl cms": "%single %more in=r out=w inkey=r recip=r signer=r",
    "openssl dgst": """
        %single %silent :r* out=w sign=r verify=r prverify=r signature=r hmac= mac= macopt= passin= sha1 sha224 sha256
        sha384 sha512 md5 hex binary r c
    """,
    "openssl ec": ">openssl rsa",
    "openssl enc": """
        %single in=r out=w pass= e d a base64 A k= K= iv= S= md= iter= pbkdf2 nosalt salt p P bufsize= kfile=r none
        engine= help list ciphers v debug nopad z
    """,
    "openssl genpkey": "%single %more out=w algorithm= pkeyopt= pass=",
    "openssl genrsa": "%single %more out=w passout=",
    "openssl pkcs12": """
        %single in=r out=w inkey=r certfile=r CAfile=r name= passin= passout= pass= export nodes nocerts nokeys clcerts
        cacerts legacy noenc
    """,
    "openssl pkcs8": "%single in=r out=w inform= outform= passin= passout= topk8 nocrypt v1= v2=",
    "openssl pkey": ">openssl rsa",
    "openssl rand": "%single out=w base64 hex",
    "openssl req": """
        %single in=r out=w key=r keyout=w config=r extensions= subj= newkey= days= passin= passout= new x509 nodes text
        noout verify addext= sha256
    """,
    "openssl rsa": "%single in=r out=w inform= outform= passin= passout= text noout pubin pubout check modulus",
    "openssl s_client": """
        %single connect=h servername= cert=r key=r CAfile=r CApath= proxy=h starttls= port= host=h quiet showcerts
        tls1_2 tls1_3 verify= alpn= bind= crlf ign_eof brief
    """,
    "openssl smime": ">openssl cms",
    "openssl x509": """
        %single in=r out=w inform= outform= key=r signkey=r CA=r CAkey=r CAserial= days= extfile=r extensions= text
        noout fingerprint sha256 subject issuer dates enddate startdate serial pubkey modulus req checkend= hash passin=
    """,
    "osascript": "%stop e= l= i s=",
    "osql": ">sqlcmd",
    "p4": "%sub c= d= H= p= P= u= C= x= L= Q=",
    "packer": "%sub %single %more var= var-file=r",
    "pacman": """
        %more b|dbpath= r|root= R|remove S|sync U|upgrade Q|query D|database T F|files y|refresh u|sysupgrade c|clean
        s|search|recursive n|nosave noconfirm config=r cachedir= ignore= overwrite=
    """,
    "pandoc": """
        %abbr %more :r* o|output=w f|from|read|r= t|to|write|w= template=r metadata-file=r H|include-in-header=r
        B|include-before-body=r A|include-after-body=r css= M|metadata= V|variable= filter= F= L|lua-filter=
        d|defaults=r data-dir= resource-path= extract-media=w log=w
    """,
    "parallel": """
        %stop %abbr %more j|jobs|max-procs|P= a|arg-file=r N|max-replace-args= n|max-args= I= d|delimiter= S|sshlogin=
        C|colsep= k|keep-order X m q|quote L= joblog=w results=w tmpdir= timeout= delay= retries= halt= env= wd|workdir=
        transferfile= return= basefile= sshloginfile= load= memfree= tag line-buffer dry-run pipe block= recstart=
        recend= progress bar eta will-cite no-notice 0|null J|profile= s|max-chars= res=w halt-on-error= memsuspend=
        nice= block-size= tagstring= bf= E= arg-sep= arg-file-sep= trim= tf= limit= compress-program=
        decompress-program= sql= process-slot-var= id= semaphore-name= st= parens= seqreplace= slotreplace=
        basenamereplace= dirnamereplace= extensionreplace= header= jl=w slf= group semaphore fg bg shuf tty verbose t v
        u|ungroup x|xargs r|no-run-if-empty round-robin lb ll color files nonall onall plus cleanup noswap pipe-part
        resume resume-failed retry-failed l? e?
    """,
    "parted": ":w,-* s|script l|list m|machine a|align= f|fix",
    "passwd": "%more d|delete l|lock u|unlock e|expire a|all S|status n= w= x= i= R|root=",
    "paste": "%abbr :r* d|delimiters= s|serial z|zero-terminated help version",
    "patch": """
        %abbr :rw,r p|strip= F|fuzz= l|ignore-whitespace c|context e|ed n|normal u|unified N|forward R|reverse i|input=r
        o|output=w r|reject-file=w D|ifdef= merge? E|remove-empty-files Z|set-utc T|set-time quoting-style= b|backup
        backup-if-mismatch no-backup-if-mismatch V|version-control= B|prefix= Y|basename-prefix= z|suffix= g|get=
        t|batch f|force s|quiet|silent verbose dry-run posix d|directory=c reject-format= binary read-only= v|version
        help follow-symlinks x=
    """,
    "pathchk": "%abbr p P portability help version",
    "pbcopy": "",
    "pbpaste": "",
    "pbzip2": ">bzip2",
    "perl": "%stop e= E= I= i? 0? l? F? M? m? C? D? d? V? x? a c f n p s S t T u U v w W X",
    "pg_dump": """
        %abbr h|host=h p|port= U|username= d|dbname= f|file=w F|format= j|jobs= t|table= T|exclude-table= n|schema=
        N|exclude-schema= Z|compress= E|encoding= S|superuser= a|data-only s|schema-only c|clean C|create if-exists
        O|no-owner x|no-privileges|no-acl v|verbose w W|password b|large-objects|blobs inserts column-inserts role=
        lock-wait-timeout= snapshot= section= exclude-table-data= rows-per-insert= V|version no-sync help B|no-blobs
        e|extension= binary-upgrade disable-dollar-quoting disable-triggers enable-row-security extra-float-digits=
        include-foreign-data= load-via-partition-root no-comments no-publications no-security-labels no-subscriptions
        no-table-access-method no-tablespaces no-toast-compression no-unlogged-table-data on-conflict-do-nothing
        quote-all-identifiers restrict-key= serializable-deferrable strict-names use-set-session-authorization
        no-password R no-reconnect attribute-inserts
    """,
    "pg_dumpall": ">pg_dump",
    "pg_restore": """
        %abbr :r h|host=h p|port= U|username= d|dbname= f|file=w F|format= j|jobs= t|table= n|schema= N|exclude-schema=
        L|use-list=r P|function= T|trigger= I|index= S|superuser= a|data-only s|schema-only c|clean C|create if-exists
        O|no-owner x|no-privileges v|verbose w W|password 1|single-transaction e|exit-on-error l|list role= section=
    """,
    "pgcli": "%more :U h|host=h p|port= U|username|user= d|dbname= W|password w|no-password",
    "pgrep": ">pkill",
    "php": """
        %stop a c= n d= e f=r h i l m r= R= B= E= F= S= t= s v w z= H ini rf= rc= re= rz= ri= interactive bindpath=
        no-chdir C no-header q timing= php-ini= no-php-ini define= file= help hide-args info syntax-check modules run=
        process-begin= process-code= process-file= process-end= syntax-highlight server= docroot= version strip
        zend-extension= rfunction rclass rextension rzendextension rextinfo
    """,
    "pico": ">nano",
    "pigz": ">gzip",
    "ping": ":h* c= i= I= l= m= M= p= Q= s= S= t= T= w= W= F= N= 4 6 a A b B d D f h L n O q r R U v V",
    "ping6": ">ping",
    "pip": """
        %sub %anywhere %abbr python= log=w proxy= retries= timeout= exists-action= trusted-host=h cert= client-cert=
        cache-dir= use-feature= use-deprecated= keyring-provider= v|verbose q|quiet no-input isolated require-virtualenv
        debug no-color no-cache-dir disable-pip-version-check h|help V|version no-python-version-warning
    """,
    "pip config": "%more editor= global user site no-python-version-warning",
    "pip download": """
        :U* r|requirement=r c|constraint=r d|dest=w platform= python-version= implementation= abi=
        i|index-url|pypi-url=U extra-index-url=U f|find-links=U no-index no-deps pre no-binary= only-binary=
        global-option= prefer-binary src= require-hashes progress-bar= no-build-isolation use-pep517
        check-build-dependencies ignore-requires-python no-clean no-python-version-warning
    """,
    "pip freeze": "%more r|requirement= l|local user path= all exclude-editable exclude= no-python-version-warning",
    "pip install": """
        :U* r|requirement=r c|constraint=r e|editable= t|target=w platform= python-version= implementation= abi= root=
        prefix= src= b|build= upgrade-strategy= C|config-settings= global-option= install-option= no-binary=
        only-binary= progress-bar= root-user-action= report=w i|index-url|pypi-url=U extra-index-url=U f|find-links=U
        no-index no-deps pre dry-run user U|upgrade force-reinstall I|ignore-installed ignore-requires-python
        no-build-isolation use-pep517 break-system-packages compile no-compile prefer-binary require-hashes no-clean
        check-build-dependencies no-warn-script-location no-warn-conflicts no-python-version-warning
    """,
    "pip list": """
        %more o|outdated u|uptodate e|editable l|local user path= pre format= not-required exclude-editable
        include-editable exclude= i|index-url= extra-index-url= no-index f|find-links=U no-python-version-warning
    """,
    "pip uninstall": "r|requirement=r y|yes root-user-action= break-system-packages no-python-version-warning",
    "pip wheel": """
        :U* r|requirement=r c|constraint=r w|wheel-dir=w i|index-url|pypi-url=U extra-index-url=U f|find-links=U
        no-index no-deps no-binary= only-binary= prefer-binary no-build-isolation use-pep517 check-build-dependencies
        e|editable= src= ignore-requires-python progress-bar= no-verify C|config-settings= build-option= global-option=
        pre require-hashes no-clean no-python-version-warning
    """,
    "pipx": "%sub %anywhere %more index-url|i=U pip-args= python= suffix= h|help version",
    "pipx run": """
        %stop %more h|help q|quiet v|verbose skip-maintenance global no-cache refresh no-path-check python-args= path
        pypackages with= spec= fetch-python= fetch-missing-python system-site-packages e|editable cooldown= backend=
    """,
    "pkill": """
        %more u|euid= U|uid= g|pgroup= G|group= s|session= t|terminal= P|parent= signal= f|full x|exact n|newest
        o|oldest i|ignore-case e|echo c|count F|pidfile=r ns= nslist=
    """,
    "pnpm": """
        %sub %anywhere %more C|dir=c registry=U F|filter= r|recursive w|workspace-root reporter= store-dir= loglevel=
        filter-prod= workspace-concurrency= changed-files-ignore-pattern= test-pattern= virtual-store-dir= lockfile-dir=
        prefix= color no-color aggregate-output stream use-beta-cli ignore-workspace
    """,
    "pnpm add": ":U* D|save-dev P|save-prod O|save-optional E|save-exact g|global",
    "pnpm dlx": "%stop package= allow-build= c|shell-mode s|silent",
    "pnpm exec": "%stop %more c|shell-mode r|recursive parallel resume-from= report-summary no-reporter-hide-prefix",
    "pnpx": ">npx",
    "podman": ">docker",
    "poetry": """
        %sub %anywhere %more C|directory=c P|project= h|help q|quiet V|version ansi no-ansi n|no-interaction no-plugins
        no-cache v
    """,
    "poetry add": """
        %more G|group= D|dev e|editable E|extras= optional= python= platform= markers= source= allow-prereleases dry-run
        lock h|help q|quiet V|version ansi no-ansi n|no-interaction no-plugins no-cache v
    """,
    "poetry run": "%stop %more",
    "poweroff": ">reboot",
    "pr": """
        %abbr :r* COLUMN|columns= a|across c|show-control-chars d|double-space D|date-format= e|expand-tabs?
        F|f|form-feed h|header= i|output-tabs? J|join-lines l|length= m|merge n|number-lines? N|first-line-number=
        o|indent= r|no-file-warnings s|separator? S|sep-string? t|omit-header T|omit-pagination v|show-nonprinting
        w|width= W|page-width= help version
    """,
    "prettier": """
        %more :r* w|write c|check l|list-different config= ignore-path= parser= plugin= stdin-filepath= arrow-parens=
        bracket-same-line no-bracket-spacing embedded-language-formatting= end-of-line= experimental-operator-position=
        no-experimental-ternaries html-whitespace-sensitivity= jsx-single-quote object-wrap= print-width= prose-wrap=
        quote-props= no-semi single-attribute-per-line single-quote tab-width= trailing-comma= use-tabs
        vue-indent-script-and-style no-config config-precedence= no-editorconfig find-config-path= with-node-modules
        cursor-offset= range-end= range-start= cache cache-location= cache-strategy= check-ignore-pragma no-color
        no-error-on-unmatched-pattern file-info= u|ignore-unknown insert-pragma log-level= require-pragma support-info
        v|version
    """,
    "printenv": "%abbr 0|null help version",
    "printf": "%stop",
    "prisma": "%sub %anywhere %more schema=",
    "ps": "%more",
    "pscp": "%more P= l= pw= i=",
    "psql": """
        %abbr :U,- c|command= d|dbname=U f|file=r l|list v|set|variable= V|version X|no-psqlrc 1|single-transaction
        help? a|echo-all b|echo-errors e|echo-queries E|echo-hidden L|log-file=w n|no-readline o|output=w q|quiet
        s|single-step S|single-line A|no-align csv F|field-separator= H|html P|pset= R|record-separator= t|tuples-only
        T|table-attr= x|expanded z|field-separator-zero 0|record-separator-zero h|host=h p|port= U|username=
        w|no-password W|password ?
    """,
    "ptx": """
        %abbr :r* A|auto-reference G|traditional F|flag-truncation= M|macro-name= O|format= R|right-side-refs
        S|sentence-regexp= T= W|word-regexp= b|break-file= f|ignore-case g|gap-size= i|ignore-file= o|only-file=
        r|references t|typeset-mode w|width= help version
    """,
    "pulumi": """
        %sub %anywhere %more C|cwd=c s|stack= color= e|emoji logtostderr v|verbose= y|yes f|skip-preview d|debug
        m|message= p|parallel= t|target= config-file=r c|config= profiling= tracing= non-interactive
        disable-integrity-checking r|refresh
    """,
    "pvremove": "%more f|force y|yes",
    "pwd": "%stop",
    "pypy": ">python",
    "pytest": """
        %more k= m= p= c=r o= n= W= r= x v q s rootdir= tb= maxfail= ignore= deselect= cov= junitxml= basetemp= lf ff sw
        pdb markers exitfirst strict-config strict-markers strict fixtures funcargs fixtures-per-test pdbcls= trace
        capture= runxfail last-failed failed-first nf new-first cache-show= cache-clear lfnf= last-failed-no-failures=
        stepwise sw-skip stepwise-skip sw-reset stepwise-reset durations= durations-min= verbose no-header no-summary
        no-fold-skipped force-short-summary quiet verbosity= report-chars= disable-warnings disable-pytest-warnings
        l|showlocals no-showlocals xfail-tb show-capture= full-trace color= code-highlight= pastebin= junit-xml=w
        junit-prefix= pythonwarnings= max-warnings= collect-only co pyargs ignore-glob= confcutdir= noconftest
        keep-duplicates collect-in-virtualenv continue-on-collection-errors import-mode= doctest-modules doctest-report=
        doctest-glob= doctest-ignore-import-errors doctest-continue-on-failure config-file=r V|version h|help
        disable-plugin-autoload trace-config debug= override-ini= assert= setup-only setup-show setup-plan log-level=
        log-format= log-date-format= log-cli-level= log-cli-format= log-cli-date-format= log-file=w log-file-mode=
        log-file-level= log-file-format= log-file-date-format= log-auto-indent= log-disable= anyio-mode=
    """,
    "python": """
        %stop c=! m=! W= X= Q= b B d E h i I O P q R s S t u v V x check-hash-based-pycs= help-env help-all
        help-xoptions
    """,
    "rabbitmqadmin": """
        %sub %anywhere %more c|config= N|node= H|host=h P|port= V|vhost= u|username= p|password= U|base-uri= q|quiet
        f|format= S|sort= d|depth= s|ssl k|ssl-insecure
    """,
    "rabbitmqctl": """
        %sub %anywhere %more n|node= p|vhost= l|longnames q|quiet s|silent t|timeout= formatter= script-name= dry-run
    """,
    "rails": "%sub %more",
    "rake": "%more f|rakefile=r C|directory=c",
    "rar": "%more",
    "rclone": """
        %sub %anywhere %more config= n|dry-run v|verbose q|quiet i|interactive include= exclude= f|filter= filter-from=r
        include-from=r exclude-from=r files-from=r transfers= checkers= bwlimit= log-file=w log-level= P|progress
        u|update c|checksum backup-dir= max-delete= max-size= min-size= max-age= min-age= suffix= s3-provider= stats=
        timeout= retries= drive-shared-with-me size-only ignore-existing ignore-errors delete-before delete-during
        delete-after delete-excluded fast-list
    """,
    "rclone copy": "%more",
    "rclone copyto": "%more",
    "rclone move": "%more",
    "rclone sync": "%more",
    "rcp": ">scp",
    "readlink": """
        %abbr f|canonicalize e|canonicalize-existing m|canonicalize-missing n|no-newline q|quiet s|silent v|verbose
        z|zero help version
    """,
    "realpath": """
        %abbr e|canonicalize-existing m|canonicalize-missing L|logical P|physical q|quiet relative-to= relative-base=
        s|strip|no-symlinks z|zero help version
    """,
    "reboot": "f|force w|wtmp-only d n i p halt poweroff reboot no-wall",
    "red": ">ed",
    "redis-cli": """
        %stop h=h p= a= n= s= u=U t= r= i= d= D= x X= c e pass= user= askpass tls sni= cacert= cert= key= raw no-raw csv
        json stat latency rdb=w functions-rdb=w pipe bigkeys memkeys hotkeys scan pattern= count= eval=r cluster=
        no-auth-warning verbose insecure intrinsic-latency= lru-test= ldb 2 3 help version
    """,
    "rename": "%more s|symlink n|no-act|nono v|verbose f|force e= o|no-overwrite i",
    "restic": """
        %sub %anywhere %more r|repo= repository-file=r p|password-file=r password-command= key-hint= o|option=
        limit-upload= limit-download= cache-dir= cacert= tls-client-cert= no-lock no-cache json q|quiet v|verbose?
        retry-lock= pack-size= compression= cleanup-cache insecure-tls host|H= tag= path= keep-last|l= keep-hourly=
        keep-daily|d= keep-weekly|w= keep-monthly|m= keep-yearly|y= keep-within= prune dry-run|n group-by|g= max-unused=
        max-repack-size= h help?
    """,
    "rev": "%abbr :r* h|help V|version",
    "rg": """
        %no A|after-context= B|before-context= C|context= e|regexp= f|file=r g|glob= iglob= m|max-count= d|max-depth=
        maxdepth= t|type= T|type-not= type-add= type-clear= r|replace= j|threads= M|max-columns= E|encoding= color=
        colors= sort= sortr= pre= pre-glob= ignore-file= engine= context-separator= field-context-separator=
        field-match-separator= path-separator= max-filesize= dfa-size-limit= regex-size-limit= hostname-bin=
        hyperlink-format= generate= l|files-with-matches files-without-match files c|count count-matches o|only-matching
        n|line-number N i|ignore-case S|smart-case s|case-sensitive v|invert-match w|word-regexp x|line-regexp
        F|fixed-strings P|pcre2 U|multiline u|unrestricted hidden . no-ignore z|search-zip a|text p|pretty q|quiet
        H|with-filename I|no-filename 0|null h|help V|version L|follow b|byte-offset json stats vimgrep heading column
        type-list passthru trim auto-hybrid-regex binary block-buffered crlf debug glob-case-insensitive
        ignore-file-case-insensitive include-zero line-buffered max-columns-preview mmap multiline-dotall no-config
        no-ignore-dot no-ignore-exclude no-ignore-files no-ignore-global no-ignore-messages no-ignore-parent
        no-ignore-vcs no-messages no-mmap no-pcre2-unicode no-require-git no-unicode null-data one-file-system
        pcre2-version
    """,
    "rimraf": "%more :d+* g|glob",
    "rm": """
        %abbr :d~* f|force i I interactive? one-file-system no-preserve-root preserve-root? r|R|recursive,+ d|dir
        v|verbose help version
    """,
    "rmdir": "%abbr :d* ignore-fail-on-non-empty p|parents v|verbose help version",
    "rscript": "%stop e= default-packages= verbose version help",
    "rsnapshot": "%sub",
    "rsync": """
        %no v|verbose q|quiet no-motd c|checksum a|archive r|recursive R|relative b|backup backup-dir= suffix= u|update
        inplace append append-verify d|dirs old-dirs mkpath l|links L|copy-links copy-unsafe-links safe-links
        munge-links k|copy-dirlinks K|keep-dirlinks H|hard-links p|perms E|executability chmod= A|acls X|xattrs o|owner
        g|group devices specials D t|times U|atimes open-noatime N|crtimes O|omit-dir-times J|omit-link-times super
        fake-super S|sparse preallocate n|dry-run W|whole-file checksum-choice|cc= x|one-file-system B|block-size=
        e|rsh= rsync-path= existing|ignore-non-existing ignore-existing remove-source-files|remove-sent-files del delete
        delete-before delete-during delete-delay delete-after delete-excluded ignore-missing-args delete-missing-args
        ignore-errors force max-delete= max-size= min-size= max-alloc= partial partial-dir= delay-updates
        m|prune-empty-dirs numeric-ids usermap= groupmap= chown= timeout= contimeout= I|ignore-times M|remote-option=
        size-only modify-window|@= T|temp-dir= y|fuzzy compare-dest= copy-dest= link-dest= z|compress
        compress-choice|zc= compress-level|zl= skip-compress= C|cvs-exclude f|filter= F exclude= exclude-from=r include=
        include-from=r files-from=r 0|from0 s|protect-args|secluded-args old-args trust-sender copy-as= address= port=
        sockopts= blocking-io outbuf= stats 8|8-bit-output h|human-readable progress P i|itemize-changes log-file=w
        log-file-format= out-format= password-file=r early-input= list-only bwlimit= stop-after= stop-at= fsync
        write-batch=w only-write-batch=w read-batch=r protocol= iconv= checksum-seed= 4|ipv4 6|ipv6 V|version server
        sender daemon config= dparam= no-detach info= debug= help stderr= inc-recursive i-r no-inc-recursive no-i-r
        no-implied-dirs old-d insecure-links confine-root= copy-devices write-devices compress-threads= zt=
    """,
    "ruby": """
        %stop e= I= r= C=c E= F? K? T? W? x? i? 0? l a c d h n p s S v w y verbose version disable= enable= encoding=
        external-encoding= internal-encoding= require=
    """,
    "ruff": "%sub %anywhere %more config= h|help V|version v|verbose q|quiet s|silent isolated color=",
    "ruff check": """
        %more :r* fix unsafe-fixes fix-only diff add-noqa select= ignore= extend-select= output-format= o|output-file=w
        exclude= line-length= q|quiet v|verbose e|exit-zero show-fixes w|watch ignore-noqa target-version= preview
        extension= statistics add-ignore? show-files show-settings h|help per-file-ignores= extend-per-file-ignores=
        fixable= unfixable= extend-fixable= extend-exclude= respect-gitignore force-exclude n|no-cache cache-dir=
        stdin-filename= exit-non-zero-on-fix s|silent isolated color=
    """,
    "ruff format": """
        %more :rw* check diff exclude= line-length= range= q|quiet v|verbose extension= target-version= preview
        output-format= h|help n|no-cache cache-dir= stdin-filename= exit-non-zero-on-format respect-gitignore
        extend-exclude= force-exclude s|silent isolated color=
    """,
    "runuser": ">su",
    "rustfmt": "%more :rw* check edition= config= config-path= emit= color= q|quiet v|verbose",
    "s-nail": ">mail",
    "s3cmd": """
        %sub %anywhere %more c|config= access_key= secret_key= access_token= n|dry-run r|recursive f|force
        delete-removed exclude= include= region= host= host-bucket= q|quiet v|verbose
    """,
    "s3cmd get": "%more",
    "s3cmd put": "%more",
    "s3cmd sync": "%more",
    "s5cmd": """
        %sub %anywhere %more endpoint-url=U profile= credentials-file=r numworkers= dry-run json log= retry-count=
    """,
    "salt": "%more",
    "sam": "%sub %anywhere %more profile= region= config-file=r config-env= stack-name= no-prompts",
    "say": "%more",
    "scp": "3 4 6 A B C O p q r R T v c= D= F= i= J= l= o= P= S= X=",
    "screen": "%more S= X c=r d? m D R L Logfile=w t= T= s= p= e= h= a A f fn fa i l ln ls list O q U v wipe 4 6 n I",
    "script": """
        :w a|append c|command= e|return f|flush force I|log-in=w O|log-out=w B|log-io=w T|log-timing=w t|timing? q|quiet
        m|logging-format= E|echo= o|output-limit= h|help V|version
    """,
    "sdiff": """
        %abbr :r* o|output= i|ignore-case E|ignore-tab-expansion Z|ignore-trailing-space b|ignore-space-change
        W|ignore-all-space B|ignore-blank-lines I|ignore-matching-lines= strip-trailing-cr a|text w|width= l|left-column
        s|suppress-common-lines t|expand-tabs tabsize= d|minimal H|speed-large-files diff-program= help v|version
    """,
    "sed": """
        %abbr n|quiet|silent debug e|expression= f|file=r follow-symlinks i|in-place? l|line-length= posix
        E|r|regexp-extended s|separate sandbox u|unbuffered z|null-data help version
    """,
    "sendmail": "%more f= F= t i o= C=r",
    "seq": "%abbr f|format= s|separator= w|equal-width help version",
    "serverless": "%sub %anywhere %more s|stage= r|region= c|config= aws-profile=",
    "service": "%stop",
    "setfacl": """
        %abbr :w* m|modify= M|modify-file=r x|remove= X|remove-file=r b|remove-all k|remove-default R|recursive
        n|no-mask d|default test set= set-file=r restore=r L P
    """,
    "setfattr": ":w* n|name= v|value= x|remove= h restore=r",
    "setsid": "%stop c|ctty f|fork w|wait h|help V|version",
    "sfdisk": "%more :w,-* d|dump l|list J A|activate= delete N= f|force n|no-act a|append",
    "sftp": "4 6 A a C f N p q r v B= b=r c= D= F= i= J= l= o= P= R= S= s= X=",
    "sgdisk": "%more :w* Z|zap-all z|zap o|clear n|new= d|delete= t|typecode= c|change-name= p|print g",
    "sh": ">bash",
    "sha1sum": """
        %abbr %silent :r* b|binary c|check tag t|text z|zero ignore-missing quiet status strict w|warn help version
    """,
    "sha224sum": """
        %abbr %silent :r* b|binary c|check tag t|text z|zero ignore-missing quiet status strict w|warn help version
    """,
    "sha256sum": """
        %abbr %silent :r* b|binary c|check tag t|text z|zero ignore-missing quiet status strict w|warn help version
    """,
    "sha384sum": """
        %abbr %silent :r* b|binary c|check tag t|text z|zero ignore-missing quiet status strict w|warn help version
    """,
    "sha512sum": """
        %abbr %silent :r* b|binary c|check tag t|text z|zero ignore-missing quiet status strict w|warn help version
    """,
    "shfmt": "%single %more :r* w l d f i= ln= p s mn bn ci sr kp fn filename=",
    "shred": "%abbr :wd* f|force n|iterations= random-source= s|size= u remove? v|verbose x|exact z|zero help version",
    "shuf": """
        %abbr :r e|echo i|input-range= n|head-count= o|output=w random-source=r r|repeat z|zero-terminated help version
    """,
    "shutdown": "h P H r k c f no-wall halt poweroff reboot",
    "skopeo": """
        %sub %anywhere %more command-timeout= debug insecure-policy override-arch= override-os= override-variant=
        policy=r registries.d= tmpdir= authfile=r creds= src-creds= dest-creds= src-tls-verify? dest-tls-verify?
        tls-verify? src-authfile=r dest-authfile=r format= all dest= src= scoped keep-going
    """,
    "sleep": "%abbr help version",
    "slogin": ">ssh",
    "sls": ">serverless",
    "snap": "%sub %anywhere %more color= unicode= purge no-wait revision= channel= classic dangerous terminate",
    "snowsql": """
        %more a|accountname= u|username= d|dbname= s|schemaname= r|rolename= w|warehouse= f|filename=r q|query=
        c|connection= o|option= D|variable=
    """,
    "socat": "%single V h hh d dd ddd dddd D ly? lf=w ls lm? lp= lu lh v x r=w R=w b= s t= T= u U g L= W= 4 6 S=",
    "sops": """
        %more :rw d|decrypt e|encrypt i|in-place output=w config=r input-type= output-type= k|kms= p|pgp= a|age=
        extract= set=
    """,
    "sort": """
        %abbr :r* b|ignore-leading-blanks d|dictionary-order f|ignore-case g|general-numeric-sort i|ignore-nonprinting
        M|month-sort h|human-numeric-sort n|numeric-sort R|random-sort random-source=r r|reverse sort= V|version-sort
        batch-size= c check? C compress-program= debug files0-from=r k|key= m|merge o|output=w s|stable S|buffer-size=
        t|field-separator= T|temporary-directory= parallel= u|unique z|zero-terminated help version
    """,
    "split": """
        %abbr :r,w a|suffix-length= additional-suffix= b|bytes= C|line-bytes= d numeric-suffixes? x hex-suffixes?
        e|elide-empty-files filter= l|lines= n|number= t|separator= u|unbuffered verbose help version
    """,
    "sponge": ":w* a",
    "sqlcmd": "%more S= U= P= d= Q= q= i=r o=w v= t= l= h= s= E N C b",
    "sqlite3": """
        %single %more :rw,- cmd= init=r separator= newline= nullvalue= mmap= maxsize= vfs= header noheader csv json html
        line list column batch bail readonly safe echo version help A append ascii box deserialize interactive
        lookaside= markdown memtrace nofollow nonce= pagecache= quote stats table tabs zip
    """,
    "sqlplus": "%more S s L l M R C",
    "srm": ":d~* r|R|recursive,+ f|force i s v z d D l|light",
    "ssh": """
        %stop2 4 6 A a C f G g K k M N n q s T t V v X x Y y B= b= c= D= E=w e= F= I= i= J= L= l= m= O= o= P= p= Q= R=
        S= W= w=
    """,
    "ssh-add": ":r* l L D d c q X x k K v t= E= T= s= e= h= H= S=",
    "ssh-copy-id": "f n s x i= p= F= o= t= h",
    "ssh-keygen": """
        f= N= P= C= t= b= O= D= I= V= z= Z= R= F= r= m= M= n= s= S= w= Y= a= E= q p y e i l B c h H L A k K Q g v u U X
        x
    """,
    "ssh-keyscan": ":h* 4 6 c D H q v p= t= T= O= f=r",
    "sshfs": "%more o= p= C F=",
    "sshpass": "%stop p= d= f=r P= v e? h V",
    "star": ">tar",
    "stat": "%abbr L|dereference f|file-system cached= c printf= t|terse help version",
    "stdbuf": "%stop %abbr i|input= o|output= e|error= help version",
    "strace": """
        %stop %more o|output=w e= p|attach= s|string-limit= f|follow-forks ff t tt ttt T c|summary-only C|summary
        u|user= E|env= P|trace-path= S|summary-sort-by= a|columns= I|interruptible= O|summary-syscall-overhead=
        X|const-print-style= b|detach-on= U|summary-columns= A|output-append-mode D d|debug F h|help
        i|instruction-pointer k N n|syscall-number q r v|no-abbrev V|version w|summary-wall-clock x xx Y y yy
        Z|failed-only z|successful-only trace= signal|signals= status= inject= fault= abbrev= verbose= raw= read|reads=
        write|writes= kvm= decode-pids= argv0= output-separately daemonize? quiet|silent|silence? stack-traces?
        relative-timestamps? absolute-timestamps|timestamps? syscall-times? seccomp-bpf strings-in-hex? tips? secontext?
        always-show-pid
    """,
    "strings": "%abbr :r* a d f n= bytes= t w o T e unicode= U s h v",
    "strip": "%more :rw* o=w",
    "stylelint": "%more :r* fix config= f|formatter= o|output-file=w custom-syntax=",
    "su": """
        %abbr m|p|preserve-environment g|group= G|supp-group= l|login c|command= session-command= f|fast s|shell= P|pty
        w|whitelist-environment= h|help V|version
    """,
    "sudo": """
        %stop %abbr A|askpass a|auth-type= c|login-class= b|background B|bell C|close-from= D|chdir=c E|preserve-env?
        e|edit g|group= H|set-home h|host= i|login K|remove-timestamp k|reset-timestamp l|list N|no-update
        n|non-interactive P|preserve-groups p|prompt= R|chroot= S|stdin s|shell T|command-timeout= t|type= r|role=
        U|other-user= u|user= V|version v|validate help
    """,
    "sum": "%abbr %silent :r* r s|sysv help version",
    "supabase": "%sub %anywhere %more workdir=c profile= dns-resolver= debug experimental",
    "svn": """
        %sub %anywhere username= password= m|message= F|file=r r|revision= c|change= q|quiet N depth= config-dir=
        config-option= non-interactive no-auth-cache trust-server-cert force targets=r parents
    """,
    "svn checkout": ":u,w",
    "svn co": ">svn checkout",
    "svn export": ":u,w",
    "swaks": "%more t|to= f|from= s|server=h attach= attach-body= body= d|data=",
    "swapoff": "",
    "sync": "%abbr :w* d|data f|file-system help version",
    "sysctl": "%more p? w a e n q f",
    "systemctl": """
        %sub %anywhere %abbr t|type= state= p|property= P= a|all l|full r|recursive reverse job-mode= i signal|s= what=
        kill-who= kill-whom= now dry-run q|quiet no-block wait no-wall no-reload user system global runtime f|force
        n|lines= o|output= H|host= M|machine= root= preset-mode= firmware-setup no-pager no-ask-password no-legend plain
        failed with-dependencies value show-types
    """,
    "tac": "%abbr :r* b|before r|regex s|separator= help version",
    "tail": """
        %abbr :r* c|bytes= f|follow? F n|lines= max-unchanged-stats= pid= q|quiet|silent retry s|sleep-interval=
        v|verbose z|zero-terminated help version
    """,
    "tar": """
        %abbr %old A|catenate|concatenate c|create delete d|diff|compare r|append test-label t|list u|update
        x|extract|get check-device g|listed-incremental=rw G|incremental hole-detection= ignore-failed-read level=
        no-check-device no-seek n|seek occurrence? sparse-version= S|sparse add-file= C|directory=c exclude=
        exclude-backups exclude-caches exclude-caches-all exclude-caches-under exclude-ignore= exclude-ignore-recursive=
        exclude-tag= exclude-tag-all= exclude-tag-under= exclude-vcs exclude-vcs-ignores no-null no-recursion no-unquote
        no-verbatim-files-from null recursion T|files-from=r unquote verbatim-files-from X|exclude-from=r anchored
        ignore-case no-anchored no-ignore-case no-wildcards no-wildcards-match-slash wildcards wildcards-match-slash
        keep-directory-symlink keep-newer-files k|keep-old-files no-overwrite-dir one-top-level? overwrite overwrite-dir
        recursive-unlink remove-files skip-old-files U|unlink-first W|verify ignore-command-error
        no-ignore-command-error O|to-stdout to-command= atime-preserve? clamp-mtime delay-directory-restore group=
        group-map= mode= mtime= m|touch no-delay-directory-restore no-same-owner no-same-permissions numeric-owner
        owner= owner-map= p|preserve-permissions|same-permissions same-owner sort= s|preserve-order|same-order acls
        no-acls no-selinux no-xattrs selinux xattrs xattrs-exclude= xattrs-include= force-local f|file=
        F|info-script|new-volume-script= L|tape-length= M|multi-volume rmt-command= rsh-command= volno-file=
        b|blocking-factor= B|read-full-records i|ignore-zeros record-size= H|format= old-archive|portability pax-option=
        posix V|label= a|auto-compress I|use-compress-program= j|bzip2 J|xz lzip lzma lzop no-auto-compress zstd
        z|gzip|gunzip|ungzip Z|compress|uncompress backup? hard-dereference h|dereference K|starting-file= newer-mtime=
        N|newer|after-date= one-file-system P|absolute-names suffix= strip-components= transform|xform= checkpoint?
        checkpoint-action= full-time index-file=w l|check-links no-quote-chars= quote-chars= quoting-style=
        R|block-number show-defaults show-omitted-dirs show-snapshot-field-ranges
        show-transformed-names|show-stored-names totals? utc v|verbose warning= w|interactive|confirmation o help
        restrict usage version
    """,
    "task": "%more t|taskfile=r d|dir=c",
    "tee": "%abbr :w* a|append i|ignore-interrupts p output-error? help version",
    "telinit": "",
    "telnet": ":h,- 4 6 8 E F K L X= a d e= f k= l= n=w r S= x",
    "terraform": "%sub %single chdir=c help version",
    "terraform apply": """
        %single auto-approve backup= compact-warnings destroy input? json lock? lock-timeout= no-color concise
        parallelism= state= state-out= var= var-file=r target= replace= refresh? refresh-only exclude=
    """,
    "terraform console": "%single state= var= var-file=r plan",
    "terraform destroy": ">terraform apply",
    "terraform fmt": "%single list? write? diff check recursive no-color",
    "terraform force-unlock": "%single force",
    "terraform import": """
        %single config= input? lock? lock-timeout= no-color parallelism= state= state-out= var= var-file=r
        ignore-remote-version allow-missing-config
    """,
    "terraform init": """
        %single backend? backend-config= force-copy from-module= get? input? lock? lock-timeout= no-color plugin-dir=
        reconfigure migrate-state upgrade lockfile= ignore-remote-version test-directory= json
    """,
    "terraform output": "%single state= no-color json raw show-sensitive",
    "terraform plan": """
        %single out=w destroy detailed-exitcode generate-config-out=w input? json lock? lock-timeout= no-color
        parallelism= state= var= var-file=r target= replace= refresh? refresh-only compact-warnings exclude=
    """,
    "terraform show": "%single no-color json",
    "terraform state": "%sub %single",
    "terraform state mv": """
        %single dry-run backup= backup-out= lock? lock-timeout= state= state-out= ignore-remote-version
    """,
    "terraform state push": "%single force lock? lock-timeout= ignore-remote-version",
    "terraform state rm": "%single dry-run backup= lock? lock-timeout= state= ignore-remote-version",
    "terraform taint": "%single allow-missing backup= lock? lock-timeout= state= state-out= ignore-remote-version",
    "terraform untaint": ">terraform taint",
    "terraform validate": "%single json no-color no-tests test-directory=",
    "terraform workspace": "%sub %single",
    "terraform workspace delete": "%single force lock? lock-timeout=",
    "terragrunt": """
        %more %sub %anywhere working-dir|terragrunt-working-dir=c config|terragrunt-config=r
        non-interactive|terragrunt-non-interactive auto-approve
    """,
    "test": "%stop",
    "tftp": "%more :h,- c",
    "time": "%stop %abbr f|format= o|output=w p|portability a|append v|verbose q|quiet h V version",
    "timeout": "%stop %abbr preserve-status foreground k|kill-after= s|signal= v|verbose help version",
    "tmux": "%sub c= f=r L= S= T= 2 8 C l u v D N",
    "tofu": ">terraform",
    "touch": "%abbr :w* a c|no-create d|date= f h|no-dereference m r|reference= t= time= help version",
    "tox": """
        %more e= c= h|help colored= stderr-color= exit-and-dump-after= conf=r workdir= root= runner= version
        no-provision= no-recreate-provision r|recreate x|override= v|verbose q|quiet p|parallel= develop notest
        list-deps skip-missing-interpreters? result-json=w hashseed= discover= skip-env=
    """,
    "toybox": "%stop",
    "tr": "%abbr c|C|complement d|delete s|squeeze-repeats t|truncate-set1 help version",
    "tracepath": ":h m= p= l= n b 4 6",
    "traceroute": "%more :h,- m= w= q= p= f= i= s= 4 6 I T U n",
    "trash": "%more :d+*",
    "trash-put": ">trash",
    "tree": """
        d a f l x L= P= I= o=w H= T= R C n p u g s h D F i r t v J X Q N q noreport charset= filelimit= dirsfirst prune
        gitignore du si timefmt= sort= gitfile? matchdirs metafirst ignore-case nolinks hintro? houtro? inodes device
        filesfirst fromfile fflinks info infofile? version help c U A S
    """,
    "true": "%stop",
    "truncate": "%abbr :w* c|no-create o|io-blocks r|reference= s|size= help version",
    "tsort": "%abbr :r* help version",
    "tty": "%abbr s|silent|quiet help version",
    "ufw": "force dry-run",
    "umount": "a|all l|lazy f|force R|recursive r n t= O= q v",
    "uname": """
        %abbr a|all s|kernel-name n|nodename r|kernel-release v|kernel-version m|machine p|processor i|hardware-platform
        o|operating-system help version
    """,
    "uncompress": ">compress",
    "unexpand": "%abbr :r* a|all first-only t|tabs= help version",
    "uniq": """
        %abbr :r,w c|count d|repeated D all-repeated? f|skip-fields= group? i|ignore-case s|skip-chars= u|unique
        z|zero-terminated w|check-chars= help version
    """,
    "unix2dos": ">dos2unix",
    "unlink": "%abbr :d* help version",
    "unlzma": ">xz",
    "unrar": "%more",
    "unshare": """
        %stop %abbr %more m|mount? u|uts? i|ipc? n|net? p|pid? U|user? C|cgroup? f|fork r|map-root-user R|root= w|wd=
        S|setuid= G|setgid= T time? map-user= map-group= c|map-current-user map-auto map-users= map-groups= kill-child?
        mount-proc? propagation= setgroups= keep-caps monotonic= boottime= h|help V|version l|load-interp= owner=
    """,
    "unxz": ">xz",
    "unzip": "p|pipe l t c f u v z T n o j a U C X V K L M q P= d=W x; Z A b B D E F i J N s S W Y 2",
    "unzstd": ">zstd",
    "useradd": """
        %more :- b|base-dir= c|comment= d|home-dir= e|expiredate= f|inactive= g|gid= G|groups= k|skel= K|key=
        p|password= s|shell= u|uid= m|create-home M N r|system
    """,
    "userdel": "f|force r|remove Z R|root= P|prefix=",
    "usermod": ">useradd",
    "uudecode": "%decodes :r o|output-file=w",
    "uuencode": ":r,- m",
    "uv": """
        %sub %anywhere %more index-url|i=U extra-index-url=U index=U default-index=U directory=c project= python|p=
        cache-dir= config-file=r with= with-requirements=r requirement|r=r q|quiet v|verbose n|no-cache offline
        no-config managed-python no-managed-python no-python-downloads color= system-certs allow-insecure-host=
        no-progress h|help V|version
    """,
    "uv add": """
        %more requirements=r c|constraints=r m|marker= dev optional= group= editable raw bounds= rev= tag= branch= lfs
        extra= no-sync locked frozen active package= script= workspace no-workspace no-install-project
        no-install-workspace no-install-local no-install-package= f|find-links=U no-index index-strategy=
        keyring-provider= U|upgrade P|upgrade-package= upgrade-group= resolution= prerelease= prerelease-package=
        fork-strategy= exclude-newer= exclude-newer-package= no-sources no-sources-package= reinstall reinstall-package=
        link-mode= compile-bytecode C|config-setting= config-settings-package= no-build-isolation
        no-build-isolation-package= no-build no-build-package= no-binary no-binary-package= require-build-hashes
        no-require-build-hashes refresh refresh-package= managed-python no-managed-python no-python-downloads color=
        system-certs allow-insecure-host= no-progress h|help
    """,
    "uv build": """
        %more package= all-packages o|out-dir=w sdist wheel no-build-logs force-pep517 clear no-create-gitignore
        b|build-constraints=r require-hashes no-verify-hashes managed-python no-managed-python no-python-downloads
        f|find-links=U no-index index-strategy= keyring-provider= U|upgrade P|upgrade-package= upgrade-group=
        resolution= prerelease= prerelease-package= fork-strategy= exclude-newer= exclude-newer-package= no-sources
        no-sources-package= C|config-setting= config-settings-package= no-build-isolation no-build-isolation-package=
        no-build no-build-package= no-binary no-binary-package= require-build-hashes no-require-build-hashes link-mode=
        refresh refresh-package= color= system-certs allow-insecure-host= no-progress h|help
    """,
    "uv init": """
        %more name= bare package no-package app lib script description= no-description vcs= build-backend= no-readme
        author-from= no-pin-python no-workspace managed-python no-managed-python no-python-downloads color= system-certs
        allow-insecure-host= no-progress h|help
    """,
    "uv lock": """
        %more check check-exists dry-run script= f|find-links=U no-index index-strategy= keyring-provider= U|upgrade
        P|upgrade-package= upgrade-group= resolution= prerelease= prerelease-package= fork-strategy= exclude-newer=
        exclude-newer-package= no-sources no-sources-package= C|config-setting= config-settings-package=
        no-build-isolation no-build-isolation-package= no-build no-build-package= no-binary no-binary-package=
        require-build-hashes no-require-build-hashes link-mode= refresh refresh-package= managed-python
        no-managed-python no-python-downloads color= system-certs allow-insecure-host= no-progress h|help
    """,
    "uv pip": "%sub %more",
    "uv pip compile": """
        %more c|constraints=r overrides=r excludes=r b|build-constraints=r require-build-hashes extra= all-extras group=
        cert= no-deps o|output-file=w format= no-strip-extras no-strip-markers no-annotate no-header annotation-style=
        custom-compile-command= system generate-hashes no-build no-binary= only-binary= python-platform= universal
        no-emit-package= emit-index-url emit-find-links emit-build-options emit-index-annotation torch-backend=
        f|find-links=U no-index index-strategy= keyring-provider= U|upgrade P|upgrade-package= upgrade-group=
        resolution= prerelease= prerelease-package= fork-strategy= exclude-newer= exclude-newer-package= no-sources
        no-sources-package= C|config-setting= config-settings-package= no-build-isolation no-build-isolation-package=
        link-mode= refresh refresh-package= python-version= managed-python no-managed-python no-python-downloads color=
        system-certs allow-insecure-host= no-progress h|help
    """,
    "uv pip install": """
        :U* r|requirements|requirement=r c|constraints|constraint=r e|editable= t|target=w prefix= U|upgrade system
        no-editable no-editable-package= overrides=r excludes=r b|build-constraints=r extra= all-extras cert= group=
        no-deps require-hashes no-verify-hashes require-build-hashes break-system-packages no-break-system-packages
        no-build no-binary= only-binary= python-version= python-platform= exact strict dry-run check output-format=
        torch-backend= user f|find-links=U no-index index-strategy= keyring-provider= P|upgrade-package= upgrade-group=
        resolution= prerelease= prerelease-package= fork-strategy= exclude-newer= exclude-newer-package= no-sources
        no-sources-package= reinstall reinstall-package= link-mode= compile-bytecode C|config-setting=
        config-settings-package= no-build-isolation no-build-isolation-package= refresh refresh-package= managed-python
        no-managed-python no-python-downloads color= system-certs allow-insecure-host= no-progress h|help
    """,
    "uv pip sync": """
        %more c|constraints=r b|build-constraints=r extra= all-extras group= cert= require-hashes no-verify-hashes
        require-build-hashes system break-system-packages no-break-system-packages t|target= prefix= no-build no-binary=
        only-binary= allow-empty-requirements no-allow-empty-requirements python-version= python-platform= strict
        dry-run check output-format= torch-backend= f|find-links=U no-index index-strategy= keyring-provider= reinstall
        reinstall-package= link-mode= compile-bytecode C|config-setting= config-settings-package= no-build-isolation
        exclude-newer= exclude-newer-package= no-sources no-sources-package= refresh refresh-package= managed-python
        no-managed-python no-python-downloads color= system-certs allow-insecure-host= no-progress h|help
    """,
    "uv pip uninstall": """
        %more requirements=r keyring-provider= system break-system-packages no-break-system-packages t|target= prefix=
        dry-run cert= managed-python no-managed-python no-python-downloads color= system-certs allow-insecure-host=
        no-progress h|help
    """,
    "uv publish": """
        %more u|username= password= t|token= trusted-publishing= keyring-provider= publish-url=U check-url=U dry-run
        no-attestations managed-python no-managed-python no-python-downloads color= system-certs allow-insecure-host=
        no-progress h|help
    """,
    "uv run": """
        %stop m|module= with= with-editable= with-requirements=r extra= group= env-file=r package= python|p= isolated
        no-project all-extras dev no-dev frozen locked no-sync no-extra= only-dev no-group= no-default-groups
        only-group= all-groups no-editable no-editable-package= exact no-env-file w= active s|script gui-script
        all-packages python-platform= f|find-links=U no-index index-strategy= keyring-provider= U|upgrade
        P|upgrade-package= upgrade-group= resolution= prerelease= prerelease-package= fork-strategy= exclude-newer=
        exclude-newer-package= no-sources no-sources-package= reinstall reinstall-package= link-mode= compile-bytecode
        C|config-setting= config-settings-package= no-build-isolation no-build-isolation-package= no-build
        no-build-package= no-binary no-binary-package= require-build-hashes no-require-build-hashes refresh
        refresh-package= managed-python no-managed-python no-python-downloads color= system-certs allow-insecure-host=
        no-progress h|help
    """,
    "uv sync": """
        %more extra= output-format= all-extras no-extra= no-dev only-dev group= no-group= no-default-groups only-group=
        all-groups no-editable no-editable-package= inexact active no-install-project no-install-workspace
        no-install-local no-install-package= locked frozen dry-run all-packages package= script= python-platform= check
        f|find-links=U no-index index-strategy= keyring-provider= U|upgrade P|upgrade-package= upgrade-group=
        resolution= prerelease= prerelease-package= fork-strategy= exclude-newer= exclude-newer-package= no-sources
        no-sources-package= reinstall reinstall-package= link-mode= compile-bytecode C|config-setting=
        config-settings-package= no-build-isolation no-build-isolation-package= no-build no-build-package= no-binary
        no-binary-package= require-build-hashes no-require-build-hashes refresh refresh-package= managed-python
        no-managed-python no-python-downloads color= system-certs allow-insecure-host= no-progress h|help
    """,
    "uv tool": "%sub %more",
    "uv tool install": """
        %more w= e|editable with-editable= with-executables-from= c|constraints=r overrides=r excludes=r
        b|build-constraints=r force lfs python-platform= torch-backend= f|find-links=U no-index index-strategy=
        keyring-provider= U|upgrade P|upgrade-package= upgrade-group= resolution= prerelease= prerelease-package=
        fork-strategy= exclude-newer= exclude-newer-package= no-sources no-sources-package= reinstall reinstall-package=
        link-mode= compile-bytecode C|config-setting= config-settings-package= no-build-isolation
        no-build-isolation-package= no-build no-build-package= no-binary no-binary-package= require-build-hashes
        no-require-build-hashes refresh refresh-package= managed-python no-managed-python no-python-downloads color=
        system-certs allow-insecure-host= no-progress h|help
    """,
    "uv tool run": """
        %stop %more from= w= with-editable= c|constraints=r b|build-constraints=r overrides=r isolated env-file=r
        no-env-file lfs python-platform= torch-backend= f|find-links=U no-index index-strategy= keyring-provider=
        U|upgrade P|upgrade-package= upgrade-group= resolution= prerelease= prerelease-package= fork-strategy=
        exclude-newer= exclude-newer-package= no-sources no-sources-package= reinstall reinstall-package= link-mode=
        compile-bytecode C|config-setting= config-settings-package= no-build-isolation no-build-isolation-package=
        no-build no-build-package= no-binary no-binary-package= require-build-hashes no-require-build-hashes refresh
        refresh-package= managed-python no-managed-python no-python-downloads color= system-certs allow-insecure-host=
        no-progress h|help
    """,
    "uv venv": """
        %more no-project seed c|clear force allow-existing prompt= system-site-packages relocatable link-mode=
        managed-python no-managed-python no-python-downloads f|find-links=U no-index index-strategy= keyring-provider=
        exclude-newer= exclude-newer-package= refresh refresh-package= color= system-certs allow-insecure-host=
        no-progress h|help
    """,
    "uvx": """
        %stop %more from= w= with-editable= c|constraints=r b|build-constraints=r overrides=r isolated env-file=r
        no-env-file lfs python-platform= torch-backend= f|find-links=U no-index index-strategy= keyring-provider=
        U|upgrade P|upgrade-package= upgrade-group= resolution= prerelease= prerelease-package= fork-strategy=
        exclude-newer= exclude-newer-package= no-sources no-sources-package= reinstall reinstall-package= link-mode=
        compile-bytecode C|config-setting= config-settings-package= no-build-isolation no-build-isolation-package=
        no-build no-build-package= no-binary no-binary-package= require-build-hashes no-require-build-hashes refresh
        refresh-package= managed-python no-managed-python no-python-downloads color= system-certs allow-insecure-host=
        no-progress h|help index-url|i=U extra-index-url=U index=U default-index=U directory=c project= python|p=
        cache-dir= config-file=r with= with-requirements=r requirement|r=r q|quiet v|verbose n|no-cache offline
        no-config V|version
    """,
    "vagrant": "%sub %more f|force",
    "valkey-cli": ">redis-cli",
    "vault": """
        %sub %anywhere %single %more address= namespace|ns= token= format= field= ca-cert= ca-path= client-cert=
        client-key= header= mount= tls-server-name= tls-skip-verify mfa= wrap-ttl= policy-override output-curl-string
        output-policy non-interactive agent-address= unlock-key= prefix force f
    """,
    "vdir": """
        %abbr a|all A|almost-all author b|escape block-size= B|ignore-backups c C color? d|directory D|dired f
        F|classify? file-type format= full-time g group-directories-first G|no-group h|human-readable si
        H|dereference-command-line dereference-command-line-symlink-to-dir hide= hyperlink? indicator-style= i|inode
        I|ignore= k|kibibytes l L|dereference m n|numeric-uid-gid N|literal o p= q|hide-control-chars show-control-chars
        Q|quote-name quoting-style= r|reverse R|recursive s|size S sort= time= time-style= t T|tabsize= u U v w|width= x
        X Z|context zero 1 help version
    """,
    "velero": "%sub %anywhere %more n|namespace= kubecontext= kubeconfig= confirm",
    "vercel": "%sub %anywhere %more t|token= S|scope= cwd=c A|local-config= Q|global-config= y|yes d|debug",
    "vgremove": "%more f|force y|yes",
    "vi": ">vim",
    "view": ":r*",
    "vim": """
        %more :rw* c= S=r w=w W=w u=r i= t= T= U= r= cmd= servername= startuptime=w e E d R y Z m M b l C N V? D n L A H
        F g f v o? p? O? x X remote remote-silent help version noplugin clean remote-expr= remote-send= remote-wait
        remote-wait-silent remote-tab serverlist listen= server=
    """,
    "vimdiff": ">vim",
    "virsh": "%sub c|connect= d|debug= q|quiet r|readonly",
    "visudo": "c|check f|file=w s q x=",
    "w3m": "%downloads %more :u* dump dump_source T= cols=",
    "watch": """
        %stop %abbr b|beep c|color C|no-color d|differences? e|errexit g|chgexit q|equexit= s|shotsdir= n|interval=
        p|precise r|no-rerun t|no-title w|no-wrap x|exec h|help v|version
    """,
    "wc": "%abbr %silent :r* c|bytes m|chars l|lines files0-from= L|max-line-length w|words help version",
    "websocat": "%more :u,-",
    "wget": """
        %abbr :u* V|version h|help b|background e|execute= o|output-file=w a|append-output=w d|debug q|quiet v|verbose
        nv|no-verbose report-speed= i|input-file=r F|force-html B|base= config=r no-config rejected-log= t|tries=
        retry-connrefused retry-on-http-error= O|output-document=w nc|no-clobber no-netrc c|continue start-pos=
        progress= show-progress N|timestamping no-if-modified-since no-use-server-timestamps S|server-response spider
        T|timeout= dns-timeout= connect-timeout= read-timeout= w|wait= waitretry= random-wait no-proxy Q|quota=
        bind-address= limit-rate= no-dns-cache restrict-file-names= ignore-case 4|inet4-only 6|inet6-only prefer-family=
        user= password= ask-password use-askpass= no-iri local-encoding= remote-encoding= unlink xattr nd|no-directories
        x|force-directories nH|no-host-directories protocol-directories P|directory-prefix=c cut-dirs= http-user=
        http-password= no-cache default-page= E|adjust-extension ignore-length header= compression= max-redirect=
        proxy-user= proxy-password= referer= save-headers U|user-agent= no-http-keep-alive no-cookies load-cookies=r
        save-cookies=w keep-session-cookies post-data= post-file=rs method= body-data= body-file=rs content-disposition
        content-on-error auth-no-challenge secure-protocol= https-only no-check-certificate certificate=r
        certificate-type= private-key=r private-key-type= ca-certificate=r ca-directory= crl-file= pinnedpubkey=
        ciphers= no-hsts hsts-file=w ftp-user= ftp-password= no-remove-listing no-glob no-passive-ftp
        preserve-permissions retr-symlinks ftps-implicit ftps-resume-ssl ftps-clear-data-connection ftps-fallback-to-ftp
        warc-file= warc-header= warc-max-size= warc-cdx warc-dedup= no-warc-compression no-warc-digests no-warc-keep-log
        warc-tempdir= r|recursive l|level= delete-after k|convert-links convert-file-only backups= K|backup-converted
        m|mirror p|page-requisites strict-comments A|accept= R|reject= accept-regex= reject-regex= regex-type=
        D|domains= exclude-domains= follow-ftp follow-tags= ignore-tags= H|span-hosts L|relative I|include-directories=
        trust-server-names X|exclude-directories= np|no-parent no input-metalink=r keep-badhash metalink-over-http
        metalink-index= preferred-location bind-dns-address= dns-servers= retry-on-host-error random-file= egd-file=
        no-ftps-resume-ssl
    """,
    "whoami": "%abbr help version",
    "whois": "%more h=h p=",
    "wipefs": """
        :w* a|all b|backup f|force i|noheadings J|json n|no-act O|output= o|offset= p|parsable q|quiet t|types= lock?
    """,
    "wkhtmltopdf": "%more",
    "wrangler": "%sub %anywhere %more c|config= e|env= cwd=c experimental-json-config env-file=r",
    "xargs": """
        %stop %abbr J= R= S= 0|null a|arg-file=r d|delimiter= E= e|eof? I= i|replace? L= l|max-lines? n|max-args=
        P|max-procs=
        o|open-tty p|interactive process-slot-var= r|no-run-if-empty s|max-chars= show-limits t|verbose x|exit help
        version
    """,
    "xclip": "%single :r* selection= o i r f d= l= t=",
    "xcopy": "",
    "xdg-open": ":r",
    "xh": ">http",
    "xhs": ">http",
    "xxd": """
        :r,w a|autoskip b|bits c|cols= C|capitalize d E|EBCDIC e g|groupsize= h i|include l|len= n|name= o=
        p|ps|postscript|plain r|revert s|seek= t u|uppercase v|version R=
    """,
    "xz": """
        %abbr :rwd* z|compress d|decompress t|test l|list k|keep f|force c|stdout 0 e|extreme T|threads= q|quiet
        v|verbose h|help H|long-help V|version S|suffix= F|format= C|check= files?r 1 2 3 4 5 6 7 8 9 single-stream
        no-sparse best fast
    """,
    "xzcat": "%decodes :r*",
    "xzgrep": ">grep",
    "yapf": "%more :r* i|in-place d|diff r|recursive p|parallel style= e|exclude=",
    "yarn": """
        %sub %anywhere %more cwd=c registry=U modules-folder= cache-folder= mutex= network-timeout= prefix= proxy=
        https-proxy= preferred-cache-folder= use-yarnrc= emoji? network-concurrency= link-folder= global-folder= otp=
        scripts-prepend-node-path? json verbose s|silent offline prefer-offline non-interactive
    """,
    "yarn add": """
        :U* D|dev P|peer O|optional E|exact T|tilde W|ignore-workspace-root-check json C|caret prefer-dev i|interactive
        cached
    """,
    "yarn dlx": "%stop %more p|package= q|quiet",
    "yarn install": "%more json immutable immutable-cache check-cache inline-builds skip-builds",
    "yes": "%abbr help version",
    "youtube-dl": "%downloads %more :u* o|output= f|format= a|batch-file=r P|paths=",
    "yq": """
        %more :-,r* i|inplace n|null-input r|unwrapScalar? o|output-format= p|input-format= P|prettyPrint e|exit-status
        s|split-exp= I|indent= M|no-colors C|colors f|front-matter= y|yaml-output j|tojson N|no-doc
    """,
    "yt-dlp": ">youtube-dl",
    "yum": """
        %sub %anywhere %more c|config=r d|debuglevel= e|errorlevel= R|randomwait= x|exclude= y|assumeyes assumeno
        enablerepo= disablerepo= enable-repo= disable-repo= repo|repoid= installroot= repofrompath= releasever= setopt=
        comment= disableexcludes= advisory= destdir|downloaddir= forcearch= q|quiet v|verbose b|best nobest allowerasing
        C|cacheonly noplugins nogpgcheck noautoremove skip-broken refresh downloadonly
    """,
    "zcat": "%decodes %abbr :r* f|force l|list q|quiet r|recursive S|suffix= synchronous t|test v|verbose",
    "zfs": "%sub",
    "zfs destroy": "f n p r R v d",
    "zgrep": ">grep",
    "zip": """
        d|delete u|update f|freshen m|move r|recurse-paths R|recurse-patterns j|junk-paths q|quiet v|verbose e|encrypt
        P|password= b|temp-path= t|from-date= n|suffixes= s|split-size= O|output-file|out=w T|test y|symlinks x|exclude;
        i|include; @|names-stdin D X 0 1 2 3 4 5 6 7 8 9 A c z o F g l k Z|compression-method=
    """,
    "zipinfo": ":-,-*",
    "zless": "%decodes :r*",
    "zmore": "%decodes :r*",
    "zpool": "%sub",
    "zpool destroy": "f",
    "zsh": ">bash",
    "zstd": """
        :rw* d|decompress|uncompress z|compress t|test l|list k|keep rm c|stdout f|force o=w D= r output-dir-flat=
        output-dir-mirror= filelist=r q|quiet v|verbose T|threads? ultra long? fast? adapt? M? memory= # h H|help
        V|version trace= progress asyncio check patch-from= single-thread auto-threads= B rsyncable exclude-compressed
        stream-size= size-hint= target-compressed-block-size= compress-literals row-match-finder format= sparse
        pass-through train= train-cover? train-fastcover? train-legacy? maxdict= b e i S priority= n|no-name zstd?
    """,
    "zstdcat": "%decodes :r*",
    "zypper": "%sub %more c= R|root= n|non-interactive",
}
