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
`c` a directory to work in, `u` a URL, `h` a host, `R` a file or `host:file`, `@` data or `@file` that is sent, `#` a
form field `name=@file` that is sent, `-` nothing.
"""

from __future__ import annotations

PROGRAMS: dict[str, str] = {
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
    "cat": """
        %abbr :r* A|show-all b|number-nonblank e E|show-ends n|number s|squeeze-blank t T|show-tabs u v|show-nonprinting
        help version
    """,
    "chgrp": ">chown",
    "chmod": """
        %abbr :-,w~* c|changes f|silent|quiet v|verbose no-preserve-root preserve-root reference= R|recursive,+ help
        version
    """,
    "chown": """
        %abbr :-,w~* c|changes f|silent|quiet v|verbose dereference h|no-dereference from= no-preserve-root
        preserve-root reference= R|recursive,+ H L P help version
    """,
    "cksum": """
        %abbr %silent :r* a|algorithm= c|check l|length= tag untagged z|zero ignore-missing quiet status strict w|warn
        debug help version
    """,
    "cmp": "%abbr :r* b|print-bytes i|ignore-initial= l|verbose n|bytes= s|quiet|silent help v|version",
    "column": """
        %abbr :r* t|table n|table-name= O|table-order= N|table-columns= l|table-columns-limit= E|table-noextreme=
        d|table-noheadings e|table-header-repeat H|table-hide= R|table-right= T|table-truncate= W|table-wrap=
        L|keep-empty-lines J|json r|tree= i|tree-id= p|tree-parent= c|output-width= o|output-separator= s|separator=
        x|fillrows h|help V|version
    """,
    "comm": "%abbr :r* 1 2 3 check-order nocheck-order output-delimiter= total z|zero-terminated help version",
    "cp": """
        %abbr :r~*,w a|archive,+ attributes-only backup? b copy-contents d f|force i|interactive H l|link L|dereference
        n|no-clobber P|no-dereference p preserve? no-preserve= parents R|r|recursive,+ reflink? remove-destination
        sparse= strip-trailing-slashes s|symbolic-link S|suffix= t|target-directory=W T|no-target-directory u|update
        v|verbose x|one-file-system Z context? help version
    """,
    "csplit": """
        %abbr :r,-* b|suffix-format= f|prefix= k|keep-files suppress-matched n|digits= s|quiet|silent
        z|elide-empty-files help version
    """,
    "cut": """
        %abbr :r* b|bytes= c|characters= d|delimiter= f|fields= n complement s|only-delimited output-delimiter=
        z|zero-terminated help version M
    """,
    "date": """
        %abbr d|date= debug f|file= I|iso-8601? resolution R|rfc-email rfc-3339= r|reference= s|set= u|utc|universal
        help version
    """,
    "dd": "%abbr help version",
    "df": """
        %abbr a|all B|block-size= h|human-readable H|si i|inodes k l|local no-sync output? P|portability sync total
        t|type= T|print-type x|exclude-type= v help version
    """,
    "diff": """
        %abbr :r* normal q|brief s|report-identical-files c|C|context= u|U|unified= e|ed n|rcs y|side-by-side W|width=
        left-column suppress-common-lines p|show-c-function F|show-function-line= label= t|expand-tabs T|initial-tab
        tabsize= suppress-blank-empty l|paginate r|recursive no-dereference N|new-file unidirectional-new-file
        ignore-file-name-case no-ignore-file-name-case x|exclude= X|exclude-from= S|starting-file= from-file= to-file=
        i|ignore-case E|ignore-tab-expansion Z|ignore-trailing-space b|ignore-space-change w|ignore-all-space
        B|ignore-blank-lines I|ignore-matching-lines= a|text strip-trailing-cr D|ifdef= GTYPE-group-format= line-format=
        LTYPE-line-format= d|minimal horizon-lines= speed-large-files color? palette= help v|version
    """,
    "diff3": """
        %abbr :r* A|show-all e|ed E|show-overlap 3|easy-only x|overlap-only X i m|merge a|text strip-trailing-cr
        T|initial-tab diff-program= L|label= help v|version
    """,
    "dir": """
        %abbr a|all A|almost-all author b|escape block-size= B|ignore-backups c C color? d|directory D|dired f
        F|classify? file-type format= full-time g group-directories-first G|no-group h|human-readable si
        H|dereference-command-line dereference-command-line-symlink-to-dir hide= hyperlink? indicator-style= i|inode
        I|ignore= k|kibibytes l L|dereference m n|numeric-uid-gid N|literal o p= q|hide-control-chars show-control-chars
        Q|quote-name quoting-style= r|reverse R|recursive s|size S sort= time= time-style= t T|tabsize= u U v w|width= x
        X Z|context zero 1 help version
    """,
    "dirname": "%abbr z|zero help version",
    "du": """
        %abbr 0|null a|all apparent-size B|block-size= b|bytes c|total D|dereference-args d|max-depth= files0-from= H
        h|human-readable inodes k L|dereference l|count-links m P|no-dereference S|separate-dirs si s|summarize
        t|threshold= time time-style= X|exclude-from= exclude= x|one-file-system help version
    """,
    "echo": "%stop",
    "egrep": ">grep",
    "expand": "%abbr :r* i|initial t|tabs= help version",
    "expr": "%stop",
    "false": "%stop",
    "fgrep": ">grep",
    "file": """
        %abbr help v|version m|magic-file= z|uncompress Z|uncompress-noreport b|brief c|checking-printout e|exclude=
        exclude-quiet= f|files-from= F|separator= i|mime apple extension mime-type mime-encoding k|keep-going l|list
        L|dereference h|no-dereference n|no-buffer N|no-pad 0|print0 p|preserve-date P|parameter r|raw s|special-files
        S|no-sandbox C|compile d|debug
    """,
    "fmt": """
        %abbr :r* c|crown-margin p|prefix= s|split-only t|tagged-paragraph u|uniform-spacing w|width= g|goal= help
        version
    """,
    "fold": "%abbr :r* b|bytes s|spaces w|width= help version",
    "git": """
        %no %abbr %sub v|version h|help C=c c= config-env= exec-path? html-path man-path info-path p|paginate P|no-pager
        no-replace-objects bare git-dir= work-tree= namespace= super-prefix= literal-pathspecs glob-pathspecs
        noglob-pathspecs icase-pathspecs no-optional-locks no-lazy-fetch list-cmds= attr-source=
    """,
    "git add": """
        %no %abbr n|dry-run v|verbose i|interactive p|patch e|edit f|force u|update renormalize N|intent-to-add A|all
        ignore-removal refresh ignore-errors ignore-missing sparse chmod= pathspec-from-file= pathspec-file-nul
    """,
    "git am": """
        %no %abbr i|interactive 3|3way q|quiet s|signoff u|utf8 k|keep keep-non-patch m|message-id keep-cr no-keep-cr
        c|scissors quoted-cr= whitespace= ignore-space-change ignore-whitespace directory= exclude= include= C= p=
        patch-format= reject resolvemsg continue r|resolved skip abort quit show-current-patch? allow-empty
        committer-date-is-author-date ignore-date rerere-autoupdate S|gpg-sign? empty=
    """,
    "git apply": """
        %no %abbr exclude= include= p= no-add stat numstat summary check index N|intent-to-add cached unsafe-paths apply
        3|3way build-fake-ancestor= z C= whitespace= ignore-space-change ignore-whitespace R|reverse unidiff-zero reject
        allow-overlap v|verbose q|quiet inaccurate-eof recount directory= allow-empty
    """,
    "git archive": """
        %no %abbr format= prefix= add-file= add-virtual-file= o|output=w worktree-attributes v|verbose NUM l|list
        remote= exec=
    """,
    "git bisect": "%sub",
    "git blame": """
        %no %abbr incremental b root show-stats progress score-debug f|show-name n|show-number p|porcelain
        line-porcelain c t l s e|show-email w ignore-rev= ignore-revs-file= color-lines color-by-age minimal S=
        contents= C? M? L= abbrev?
    """,
    "git branch": """
        %no %abbr v|verbose q|quiet t|track? u|set-upstream-to= unset-upstream color? r|remotes contains= no-contains=
        abbrev? a|all d|delete D m|move M c|copy C l|list show-current create-reflog edit-description f|force merged=
        no-merged= column? sort= points-at= i|ignore-case recurse-submodules format=
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
        pathspec-from-file= pathspec-file-nul
    """,
    "git checkout-index": """
        %no %abbr a|all ignore-skip-worktree-bits f|force q|quiet n|no-create u|index z stdin temp prefix= stage=
    """,
    "git cherry-pick": """
        %no %abbr quit continue abort skip cleanup= n|no-commit e|edit s|signoff m|mainline= rerere-autoupdate strategy=
        X|strategy-option= S|gpg-sign? x ff allow-empty allow-empty-message keep-redundant-commits
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
        u|untracked-files? pathspec-from-file= pathspec-file-nul
    """,
    "git commit-tree": "%no %abbr p= m= F= S|gpg-sign?",
    "git config": """
        %no %abbr global system local worktree f|file=r blob= get get-all get-regexp get-urlmatch replace-all add unset
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
        pickaxe-regex pickaxe-all 1|base 2|ours 3|theirs 0 c cc
    """,
    "git difftool": """
        %no %abbr g|gui d|dir-diff y|no-prompt symlinks t|tool= tool-help trust-exit-code x|extcmd= no-index
    """,
    "git fetch": """
        %no %abbr v|verbose q|quiet all set-upstream a|append atomic upload-pack= f|force m|multiple t|tags n j|jobs=
        prefetch p|prune P|prune-tags recurse-submodules? dry-run write-fetch-head k|keep u|update-head-ok progress
        depth= shallow-since= shallow-exclude= deepen= unshallow refetch update-shallow refmap= o|server-option= 4|ipv4
        6|ipv6 negotiation-tip= negotiate-only filter= auto-maintenance auto-gc show-forced-updates write-commit-graph
        stdin
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
        creation-factor= force-in-body-from
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
        o|only-matching c|count color? break heading C|context= B|before-context= A|after-context= threads= NUM
        p|show-function W|function-context f=r e= and or not q|quiet all-match O|open-files-in-pager? ext-grep
        m|max-count=
    """,
    "git hash-object": "%no %abbr t= w stdin stdin-paths no-filters literally path=",
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
        output=w ext-diff textconv ignore-submodules? submodule? word-diff? pickaxe-regex pickaxe-all
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
    "git mv": "%no %abbr v|verbose n|dry-run f|force k sparse",
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
        negotiation-tip= show-forced-updates set-upstream
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
        reapply-cherry-picks
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
        pathspec-from-file= pathspec-file-nul
    """,
    "git restore": """
        %no %abbr s|source= S|staged W|worktree ignore-unmerged overlay q|quiet recurse-submodules? progress m|merge
        conflict= 2|ours 3|theirs p|patch ignore-skip-worktree-bits pathspec-from-file= pathspec-file-nul
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
    "git shortlog": "%no %abbr c|committer n|numbered s|summary e|email w? group=",
    "git show": ">git log",
    "git show-branch": """
        %no %abbr a|all r|remotes color? more? list no-name current sha1-name merge-base independent topo-order topics
        sparse date-order g|reflog?
    """,
    "git show-ref": "%no %abbr tags heads verify head d|dereference s|hash? abbrev? q|quiet exclude-existing?",
    "git sparse-checkout": "%no %abbr %sub",
    "git sparse-checkout set": "%no %abbr cone sparse-index stdin skip-checks",
    "git stash": "%no %abbr %sub",
    "git stash apply": "%no %abbr index q|quiet",
    "git stash branch": "%no %abbr",
    "git stash clear": "%no %abbr",
    "git stash create": "%no %abbr",
    "git stash drop": "%no %abbr q|quiet",
    "git stash list": "%no %abbr %more",
    "git stash pop": "%no %abbr index q|quiet",
    "git stash push": """
        %no %abbr p|patch k|keep-index S|staged q|quiet u|include-untracked a|all m|message= pathspec-from-file=
        pathspec-file-nul
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
    "grep": """
        %abbr E|extended-regexp F|fixed-strings G|basic-regexp P|perl-regexp e|regexp= f|file=r i|ignore-case
        no-ignore-case w|word-regexp x|line-regexp z|null-data s|no-messages v|invert-match V|version help m|max-count=
        b|byte-offset n|line-number line-buffered H|with-filename h|no-filename label= o|only-matching q|quiet|silent
        binary-files= a|text I d|directories= D|devices= r|recursive R|dereference-recursive include= exclude=
        exclude-from=r exclude-dir= L|files-without-match l|files-with-matches c|count T|initial-tab Z|null
        B|before-context= A|after-context= C|context= NUM group-separator= no-group-separator color? colour? U|binary
    """,
    "groups": "%abbr help version",
    "gzip": """
        %abbr :rwd* c|stdout d|decompress f|force h|help k|keep l|list L|license n|no-name N|name q|quiet r|recursive
        rsyncable S|suffix= synchronous= t|test v|verbose V|version 1|fast 9|best
    """,
    "head": "%abbr :r* c|bytes= n|lines= q|quiet|silent v|verbose z|zero-terminated help version",
    "hexdump": """
        %abbr :r* b|one-byte-octal c|one-byte-char C|canonical d|two-bytes-decimal o|two-bytes-octal x|two-bytes-hex
        L|color? e|format= f|format-file= n|length= s|skip= v|no-squeezing h|help V|version
    """,
    "id": "%abbr a Z|context g|group G|groups n|name r|real u|user z|zero help version",
    "install": """
        %abbr :r*,w backup? b c C|compare d|directory D g|group= m|mode= o|owner= p|preserve-timestamps s|strip
        strip-program= S|suffix= t|target-directory=W T|no-target-directory v|verbose preserve-context Z context? help
        version
    """,
    "join": """
        %abbr :r* a= e= i|ignore-case j= o= t= v= 1= 2= check-order nocheck-order header z|zero-terminated help version
    """,
    "kill": "s|signal= n= l|list? L|table q=",
    "link": "%abbr :r,w help version",
    "ln": """
        %abbr :r*,w backup? b d|F|directory f|force i|interactive L|logical n|no-dereference P|physical r|relative
        s|symbolic S|suffix= t|target-directory=W T|no-target-directory v|verbose help version
    """,
    "ls": """
        %abbr a|all A|almost-all author b|escape block-size= B|ignore-backups c C color? d|directory D|dired f
        F|classify? file-type format= full-time g group-directories-first G|no-group h|human-readable si
        H|dereference-command-line dereference-command-line-symlink-to-dir hide= hyperlink? indicator-style= i|inode
        I|ignore= k|kibibytes l L|dereference m n|numeric-uid-gid N|literal o p= q|hide-control-chars show-control-chars
        Q|quote-name quoting-style= r|reverse R|recursive s|size S sort= time= time-style= t T|tabsize= u U v w|width= x
        X Z|context zero 1 help version
    """,
    "md5sum": """
        %abbr %silent :r* b|binary c|check tag t|text z|zero ignore-missing quiet status strict w|warn help version
    """,
    "mkdir": "%abbr :w* m|mode= p|parents v|verbose Z context? help version",
    "mkfifo": "%abbr :w* m|mode= Z context? help version",
    "mknod": "%abbr :w,-* m|mode= Z context? help version",
    "mktemp": "%abbr d|directory u|dry-run q|quiet suffix= p|tmpdir= t help version",
    "mv": """
        %abbr :rd+*,w+ backup? b f|force i|interactive n|no-clobber strip-trailing-slashes S|suffix=
        t|target-directory=W T|no-target-directory u|update v|verbose Z|context help version
    """,
    "nl": """
        %abbr :r* b|body-numbering= d|section-delimiter= f|footer-numbering= h|header-numbering= i|line-increment=
        l|join-blank-lines= n|number-format= p|no-renumber s|number-separator= v|starting-line-number= w|number-width=
        help version
    """,
    "nproc": "%abbr all ignore= help version",
    "od": """
        %abbr :r* A|address-radix= endian= j|skip-bytes= N|read-bytes= S|strings= t|format= v|output-duplicates w|width?
        traditional help version a b c d f i l o s x
    """,
    "paste": "%abbr :r* d|delimiters= s|serial z|zero-terminated help version",
    "pathchk": "%abbr p P portability help version",
    "pr": """
        %abbr :r* COLUMN|columns= a|across c|show-control-chars d|double-space D|date-format= e|expand-tabs?
        F|f|form-feed h|header= i|output-tabs? J|join-lines l|length= m|merge n|number-lines? N|first-line-number=
        o|indent= r|no-file-warnings s|separator? S|sep-string? t|omit-header T|omit-pagination v|show-nonprinting
        w|width= W|page-width= help version
    """,
    "printenv": "%abbr 0|null help version",
    "printf": "%stop",
    "ptx": """
        %abbr :r* A|auto-reference G|traditional F|flag-truncation= M|macro-name= O|format= R|right-side-refs
        S|sentence-regexp= T= W|word-regexp= b|break-file= f|ignore-case g|gap-size= i|ignore-file= o|only-file=
        r|references t|typeset-mode w|width= help version
    """,
    "pwd": "%stop",
    "readlink": """
        %abbr f|canonicalize e|canonicalize-existing m|canonicalize-missing n|no-newline q|quiet s|silent v|verbose
        z|zero help version
    """,
    "realpath": """
        %abbr e|canonicalize-existing m|canonicalize-missing L|logical P|physical q|quiet relative-to= relative-base=
        s|strip|no-symlinks z|zero help version
    """,
    "rev": "%abbr :r* h|help V|version",
    "rm": """
        %abbr :d~* f|force i I interactive? one-file-system no-preserve-root preserve-root? r|R|recursive,+ d|dir
        v|verbose help version
    """,
    "rmdir": "%abbr :d* ignore-fail-on-non-empty p|parents v|verbose help version",
    "sdiff": """
        %abbr :r* o|output= i|ignore-case E|ignore-tab-expansion Z|ignore-trailing-space b|ignore-space-change
        W|ignore-all-space B|ignore-blank-lines I|ignore-matching-lines= strip-trailing-cr a|text w|width= l|left-column
        s|suppress-common-lines t|expand-tabs tabsize= d|minimal H|speed-large-files diff-program= help v|version
    """,
    "sed": """
        %abbr n|quiet|silent debug e|expression= f|file=r follow-symlinks i|in-place? l|line-length= posix
        E|r|regexp-extended s|separate sandbox u|unbuffered z|null-data help version
    """,
    "seq": "%abbr f|format= s|separator= w|equal-width help version",
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
    "shred": "%abbr :wd* f|force n|iterations= random-source= s|size= u remove? v|verbose x|exact z|zero help version",
    "shuf": """
        %abbr :r e|echo i|input-range= n|head-count= o|output=w random-source=r r|repeat z|zero-terminated help version
    """,
    "sleep": "%abbr help version",
    "sort": """
        %abbr :r* b|ignore-leading-blanks d|dictionary-order f|ignore-case g|general-numeric-sort i|ignore-nonprinting
        M|month-sort h|human-numeric-sort n|numeric-sort R|random-sort random-source=r r|reverse sort= V|version-sort
        batch-size= c|check|check= C= compress-program= debug files0-from=r k|key= m|merge o|output=w s|stable
        S|buffer-size= t|field-separator= T|temporary-directory= parallel= u|unique z|zero-terminated help version
    """,
    "split": """
        %abbr :r,- a|suffix-length= additional-suffix= b|bytes= C|line-bytes= d numeric-suffixes? x hex-suffixes?
        e|elide-empty-files filter= l|lines= n|number= t|separator= u|unbuffered verbose help version
    """,
    "stat": "%abbr L|dereference f|file-system cached= c printf= t|terse help version",
    "strings": "%abbr :r* a d f n= bytes= t w o T e unicode= U s h v",
    "sum": "%abbr %silent :r* r s|sysv help version",
    "sync": "%abbr :w* d|data f|file-system help version",
    "tac": "%abbr :r* b|before r|regex s|separator= help version",
    "tail": """
        %abbr :r* c|bytes= f|follow? F n|lines= max-unchanged-stats= pid= q|quiet|silent retry s|sleep-interval=
        v|verbose z|zero-terminated help version
    """,
    "tar": """
        %abbr %old A|catenate|concatenate c|create delete d|diff|compare r|append test-label t|list u|update
        x|extract|get check-device g|listed-incremental= G|incremental hole-detection= ignore-failed-read level=
        no-check-device no-seek n|seek occurrence? sparse-version= S|sparse add-file= C|directory=c exclude=
        exclude-backups exclude-caches exclude-caches-all exclude-caches-under= exclude-ignore=
        exclude-ignore-recursive= exclude-tag= exclude-tag-all= exclude-tag-under= exclude-vcs exclude-vcs-ignores
        no-null no-recursion no-unquote no-verbatim-files-from null recursion T|files-from= unquote verbatim-files-from
        X|exclude-from= anchored ignore-case no-anchored no-ignore-case no-wildcards no-wildcards-match-slash wildcards
        wildcards-match-slash keep-directory-symlink keep-newer-files k|keep-old-files no-overwrite-dir one-top-level?
        overwrite overwrite-dir recursive-unlink remove-files skip-old-files U|unlink-first W|verify
        ignore-command-error= no-ignore-command-error O|to-stdout to-command= atime-preserve? clamp-mtime
        delay-directory-restore group= group-map= mode= mtime= m|touch no-delay-directory-restore no-same-owner
        no-same-permissions numeric-owner owner= owner-map= p|preserve-permissions|same-permissions same-owner sort=
        s|preserve-order|same-order acls no-acls no-selinux no-xattrs selinux xattrs xattrs-exclude= xattrs-include=
        force-local f|file= F|info-script|new-volume-script= L|tape-length= M|multi-volume rmt-command= rsh-command=
        volno-file= b|blocking-factor= B|read-full-records i|ignore-zeros record-size= H|format= old-archive|portability
        pax-option= posix V|label= a|auto-compress I|use-compress-program= j|bzip2 J|xz lzip lzma lzop no-auto-compress
        zstd z|gzip|gunzip|ungzip Z|compress|uncompress backup? hard-dereference h|dereference K|starting-file=
        newer-mtime= N|newer|after-date= one-file-system P|absolute-names suffix= strip-components= transform|xform=
        checkpoint? checkpoint-action= full-time index-file= l|check-links no-quote-chars= quote-chars= quoting-style=
        R|block-number show-defaults show-omitted-dirs show-snapshot-field-ranges
        show-transformed-names|show-stored-names totals? utc v|verbose warning= w|interactive|confirmation o ?|help
        restrict usage version
    """,
    "tee": "%abbr :w* a|append i|ignore-interrupts p output-error? help version",
    "test": "%stop",
    "touch": "%abbr :w* a c|no-create d|date= f h|no-dereference m r|reference= t= time= help version",
    "tr": "%abbr c|C|complement d|delete s|squeeze-repeats t|truncate-set1 help version",
    "true": "%stop",
    "truncate": "%abbr :w* c|no-create o|io-blocks r|reference= s|size= help version",
    "tsort": "%abbr :r* help version",
    "tty": "%abbr s|silent|quiet help version",
    "uname": """
        %abbr a|all s|kernel-name n|nodename r|kernel-release v|kernel-version m|machine p|processor i|hardware-platform
        o|operating-system help version
    """,
    "unexpand": "%abbr :r* a|all first-only t|tabs= help version",
    "uniq": """
        %abbr :r,w c|count d|repeated D all-repeated? f|skip-fields= group? i|ignore-case s|skip-chars= u|unique
        z|zero-terminated w|check-chars= help version
    """,
    "unlink": "%abbr :d* help version",
    "vdir": """
        %abbr a|all A|almost-all author b|escape block-size= B|ignore-backups c C color? d|directory D|dired f
        F|classify? file-type format= full-time g group-directories-first G|no-group h|human-readable si
        H|dereference-command-line dereference-command-line-symlink-to-dir hide= hyperlink? indicator-style= i|inode
        I|ignore= k|kibibytes l L|dereference m n|numeric-uid-gid N|literal o p= q|hide-control-chars show-control-chars
        Q|quote-name quoting-style= r|reverse R|recursive s|size S sort= time= time-style= t T|tabsize= u U v w|width= x
        X Z|context zero 1 help version
    """,
    "wc": "%abbr %silent :r* c|bytes m|chars l|lines files0-from= L|max-line-length w|words help version",
    "wget": """
        %abbr :u* V|version h|help b|background e|execute= o|output-file=w a|append-output=w d|debug q|quiet v|verbose
        nv|no-verbose report-speed= i|input-file=r F|force-html B|base= config=r no-config rejected-log= t|tries=
        retry-connrefused retry-on-http-error= O|output-document=w nc|no-clobber no-netrc c|continue start-pos=
        progress= show-progress N|timestamping no-if-modified-since no-use-server-timestamps S|server-response spider
        T|timeout= dns-timeout= connect-timeout= read-timeout= w|wait= waitretry= random-wait no-proxy Q|quota=
        bind-address= limit-rate= no-dns-cache restrict-file-names= ignore-case 4|inet4-only 6|inet6-only prefer-family=
        user= password= ask-password use-askpass= no-iri local-encoding= remote-encoding= unlink xattr nd|no-directories
        x|force-directories nH|no-host-directories protocol-directories P|directory-prefix=c cut-dirs= http-user=
        http-password= no-cache default-page= E|adjust-extension ignore-length header= compression= max-redirect
        proxy-user= proxy-password= referer= save-headers U|user-agent= no-http-keep-alive no-cookies load-cookies=r
        save-cookies=w keep-session-cookies post-data= post-file=rs method= body-data= body-file=rs content-disposition
        content-on-error auth-no-challenge secure-protocol= https-only no-check-certificate certificate=r
        certificate-type= private-key=r private-key-type= ca-certificate=r ca-directory= crl-file= pinnedpubkey=
        ciphers= no-hsts hsts-file ftp-user= ftp-password= no-remove-listing no-glob no-passive-ftp preserve-permissions
        retr-symlinks ftps-implicit ftps-resume-ssl ftps-clear-data-connection ftps-fallback-to-ftp warc-file=
        warc-header= warc-max-size= warc-cdx warc-dedup= no-warc-compression no-warc-digests no-warc-keep-log
        warc-tempdir= r|recursive l|level= delete-after k|convert-links convert-file-only backups= K|backup-converted
        m|mirror p|page-requisites strict-comments A|accept= R|reject= accept-regex= reject-regex= regex-type=
        D|domains= exclude-domains= follow-ftp follow-tags= ignore-tags= H|span-hosts L|relative I|include-directories=
        trust-server-names X|exclude-directories= np|no-parent
    """,
    "whoami": "%abbr help version",
    "yes": "%abbr help version",
    "zcat": "%abbr :r* f|force l|list q|quiet r|recursive S|suffix= synchronous= t|test v|verbose help version",
    "zgrep": ">grep",
}
