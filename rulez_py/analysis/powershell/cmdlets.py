"""The cmdlets that touch files, hosts or other programs: their aliases and parameters, as Microsoft documents them.

A parameter is written `Name|OtherName=roles`, a switch `Name!`. Roles: a digit is its position among the operands;
`r`, `w`, `d`, `s` that it names files which are read, written, deleted or sent; `l` that such a name is no pattern;
`+` that all below counts with -Recurse and `*` that it always does; `u` that it is an address, `h` a computer; `b` that
it is the body of a request, of which files are sent.
"""

from __future__ import annotations

from rulez_py.analysis.record import Value
from rulez_py.analysis.values import Operand, Option, Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulez_py.analysis.values import Word


class Parameter(Value):
    """One parameter; `names` are canonical first, without the dash. `position` is -1 where it needs its name."""

    names: tuple[str, ...]
    switch: bool = False
    position: int = -1
    roles: str = ""


_COMMON = (
    "Verbose|vb! Debug|db! ErrorAction|ea WarningAction|wa InformationAction|infa ErrorVariable|ev WarningVariable|wv "
    "InformationVariable|iv OutVariable|ov OutBuffer|ob PipelineVariable|pv ProgressAction|proga"
)
_RISK = "WhatIf|wi! Confirm|cf!"
_PICK = "Filter Include Exclude Credential"
_PATHS = "LiteralPath|PSPath|LP"
_WEB = (
    "Uri=u0 Method CustomMethod|CM Body=b Form=b InFile=s OutFile=wl Headers ContentType Credential UserAgent Proxy "
    "WebSession SessionVariable|SV TimeoutSec|OperationTimeoutSeconds MaximumRedirection TransferEncoding Certificate "
    "CertificateThumbprint Authentication Token MaximumRetryCount RetryIntervalSec HttpVersion SslProtocol "
    "UseBasicParsing! UseDefaultCredentials! DisableKeepAlive! PassThru! SkipCertificateCheck! Resume! "
    "SkipHttpErrorCheck! AllowUnencryptedAuthentication! PreserveAuthorizationOnRedirect! SkipHeaderValidation! "
    "NoProxy! ProxyUseDefaultCredentials! AllowInsecureRedirect! ConnectionTimeoutSeconds ProxyCredential"
)
_REMOTE = (
    "ComputerName|Cn=h HostName=h Session VMName=h VMId ContainerId ConnectionUri|URI=u Credential Port UseSSL! "
    "ConfigurationName ApplicationName ThrottleLimit SessionOption Authentication CertificateThumbprint KeyFilePath=r "
    "UserName SSHConnection SSHTransport! Subsystem EnableNetworkAccess! RunAsAdministrator! SessionName AsJob! "
    "InDisconnectedSession! JobName HideComputerName|HCN! NoNewScope! RemoteDebug! AllowRedirection! Options"
)
_SERVICE = f"Name|ServiceName|SN=0 DisplayName InputObject Force! NoWait! PassThru! Include Exclude {_RISK}"
_DISK = f"Number|DeviceId=0 DiskNumber FriendlyName UniqueId Path InputObject CimSession AsJob! ThrottleLimit {_RISK}"

_CMDLETS: dict[str, str] = {
    "Remove-Item": f"Path=d+0 {_PATHS}=d+l {_PICK} Recurse! Force! Stream UseTransaction! {_RISK}",
    "Copy-Item": f"Path=r+0 {_PATHS}=r+l Destination=w+l1 {_PICK} Container! Force! Recurse! PassThru! ToSession "
    f"FromSession {_RISK}",
    "Move-Item": f"Path=rd*0 {_PATHS}=rd*l Destination=w*l1 {_PICK} Force! PassThru! {_RISK}",
    "Rename-Item": f"Path=rdl*0 {_PATHS}=rdl* NewName=1 Force! PassThru! Credential {_RISK}",
    "New-Item": f"Path=wl0 Name ItemType|Type Value|Target Force! Credential Options {_RISK}",
    "Set-Content": f"Path=w0 {_PATHS}=wl Value=1 {_PICK} PassThru! Force! NoNewline! Encoding AsByteStream! Stream "
    f"{_RISK}",
    "Add-Content": f"Path=w0 {_PATHS}=wl Value=1 {_PICK} PassThru! Force! NoNewline! Encoding AsByteStream! Stream "
    f"{_RISK}",
    "Clear-Content": f"Path=w0 {_PATHS}=wl {_PICK} Force! Stream {_RISK}",
    "Clear-Item": f"Path=w0 {_PATHS}=wl {_PICK} Force! {_RISK}",
    "Get-Content": f"Path=r0 {_PATHS}=rl {_PICK} ReadCount TotalCount|First|Head Tail|Last Force! Delimiter Wait! Raw! "
    "Encoding AsByteStream! Stream",
    "Out-File": f"FilePath=wl0 {_PATHS}=wl Encoding=1 Append! Force! NoClobber|NoOverwrite! Width NoNewline! "
    f"InputObject {_RISK}",
    "Tee-Object": f"FilePath=wl0 {_PATHS}=wl Variable InputObject Append! Encoding",
    "Export-Csv": f"Path=wl0 {_PATHS}=wl InputObject Delimiter=1 Force! NoClobber! Encoding Append! "
    f"NoTypeInformation|NTI! UseCulture! IncludeTypeInformation! {_RISK}",
    "Import-Csv": f"Path=rl0 {_PATHS}=rl Delimiter=1 Header Encoding UseCulture!",
    "Export-Clixml": f"Path=wl0 {_PATHS}=wl InputObject Depth Force! NoClobber! Encoding {_RISK}",
    "Get-ChildItem": f"Path=r+0 {_PATHS}=r+l Filter=1 Include Exclude Recurse|s! Depth Force! Name! Attributes "
    "FollowSymlink! Directory|ad! File|af! Hidden|ah|h! ReadOnly|ar! System|as!",
    "Get-Item": f"Path=r0 {_PATHS}=rl {_PICK} Force! Stream",
    "Test-Path": f"Path=0 {_PATHS} {_PICK} PathType|Type IsValid! OlderThan NewerThan",
    "Resolve-Path": f"Path=0 {_PATHS} Relative! Credential",
    "Select-String": f"Pattern=0 Path=r1 {_PATHS}=rl InputObject SimpleMatch! CaseSensitive! Quiet! List! NoEmphasis! "
    "Include Exclude NotMatch! AllMatches! Encoding Context Raw! Culture",
    "Get-FileHash": f"Path=r0 {_PATHS}=rl Algorithm=1 InputStream",
    "Import-Module": "Name=0 Global! Prefix Force! PassThru! DisableNameChecking! Scope MinimumVersion RequiredVersion",
    "Set-ItemProperty": f"Path=w0 {_PATHS}=wl Name|PSProperty=1 Value=2 InputObject PassThru! Force! Type {_PICK} "
    f"{_RISK}",
    "New-ItemProperty": f"Path=w0 {_PATHS}=wl Name|PSProperty=1 Value PropertyType|Type Force! {_PICK} {_RISK}",
    "Remove-ItemProperty": f"Path=w0 {_PATHS}=wl Name|PSProperty=1 Force! {_PICK} {_RISK}",
    "Set-Acl": f"Path=w0 {_PATHS}=wl AclObject=1 InputObject ClearCentralAccessPolicy! PassThru! {_PICK} {_RISK}",
    "Compress-Archive": f"Path=r*0 {_PATHS}=r*l DestinationPath=wl1 CompressionLevel Update! Force! PassThru! {_RISK}",
    "Expand-Archive": f"Path=rl0 {_PATHS}=rl DestinationPath=w*l1 Force! PassThru! {_RISK}",
    "Stop-Process": f"Id=0 Name|ProcessName InputObject PassThru! Force! {_RISK}",
    "Stop-Computer": f"ComputerName|CN=0h Credential=1 Force! AsJob! WsmanAuthentication {_RISK}",
    "Restart-Computer": f"ComputerName|CN=0h Credential=1 Force! Wait! Timeout For Delay Protocol {_RISK}",
    "Format-Volume": f"DriveLetter=0 ObjectId Path FileSystemLabel FileSystem NewFileSystemLabel Full! Force! "
    f"Compress! InputObject AllocationUnitSize Partition {_RISK}",
    "Clear-Disk": f"RemoveData! RemoveOEM! ZeroOutEntireDisk! PassThru! {_DISK}",
    "Initialize-Disk": f"PartitionStyle PassThru! VirtualDisk {_DISK}",
    "Set-Disk": f"IsReadOnly IsOffline Signature Guid PartitionStyle {_DISK}",
    "Remove-Partition": f"DiskNumber=0 PartitionNumber=1 DriveLetter DiskId Offset InputObject PassThru! CimSession "
    f"{_RISK}",
    "Resize-Partition": f"DiskNumber=0 PartitionNumber=1 Size DriveLetter DiskId Offset InputObject PassThru! {_RISK}",
    "Invoke-WebRequest": _WEB,
    "Invoke-RestMethod": f"{_WEB} FollowRelLink! MaximumFollowRelLink ResponseHeadersVariable StatusCodeVariable",
    "Invoke-Expression": "Command=0",
    "Invoke-Command": f"ScriptBlock|Command=0 FilePath|PSPath=rl ArgumentList|Args InputObject {_REMOTE}",
    "Start-Job": "ScriptBlock|Command=0 FilePath=rl LiteralPath|PSPath|LP=rl Name ArgumentList|Args "
    "InitializationScript InputObject Credential RunAs32! PSVersion WorkingDirectory Authentication Type",
    "Start-ThreadJob": "ScriptBlock=0 FilePath=rl Name ArgumentList InitializationScript InputObject ThrottleLimit "
    "StreamingHost",
    "ForEach-Object": "Process=0 Begin End RemainingScripts MemberName ArgumentList|Args InputObject Parallel "
    "ThrottleLimit TimeoutSeconds AsJob! UseNewRunspace! WhatIf|wi! Confirm|cf!",
    "Where-Object": "FilterScript=0 Property Value InputObject EQ! NE! GT! LT! GE! LE! Like! NotLike! Match! NotMatch! "
    "Contains! NotContains! In! NotIn! Is! IsNot! Not!",
    "Measure-Command": "Expression=0 InputObject",
    "Start-Process": "FilePath|PSPath|Path=0 ArgumentList|Args=1 Credential WorkingDirectory LoadUserProfile|Lup! "
    "NoNewWindow|nnw! PassThru! RedirectStandardError|RSE=wl RedirectStandardInput|RSI=rl "
    f"RedirectStandardOutput|RSO=wl Verb Wait! WindowStyle UseNewEnvironment! Environment {_RISK}",
    "Set-ExecutionPolicy": f"ExecutionPolicy=0 Scope=1 Force! {_RISK}",
    "New-LocalUser": f"Name=0 Password Description FullName NoPassword! AccountNeverExpires! Disabled! {_RISK}",
    "Remove-LocalUser": f"Name=0 InputObject SID {_RISK}",
    "Remove-LocalGroup": f"Name=0 InputObject SID {_RISK}",
    "Add-LocalGroupMember": f"Group|Name=0 Member=1 SID {_RISK}",
    "Disable-LocalUser": f"Name=0 InputObject SID {_RISK}",
    "Stop-Service": _SERVICE,
    "Restart-Service": _SERVICE,
    "Remove-Service": f"Name=0 InputObject {_RISK}",
    "Set-Service": f"Name|ServiceName=0 DisplayName Description StartupType Status Credential Force! PassThru! {_RISK}",
    "New-Service": f"Name=0 BinaryPathName|Path=1 DisplayName Description StartupType Credential DependsOn {_RISK}",
    "Start-BitsTransfer": f"Source=0 Destination=1 TransferType Asynchronous! Credential DisplayName Priority "
    f"Description Authentication ProxyUsage {_RISK}",
    "New-PSSession": f"Name {_REMOTE.replace('Cn=h', 'Cn=h0')}",
    "Enter-PSSession": f"Name Id {_REMOTE.replace('Cn=h', 'Cn=h0')}",
    "Send-MailMessage": "To=0 Subject=1 Body=b2 SmtpServer|ComputerName=h3 From Attachments|PsPath=s "
    "Bcc Cc BodyAsHtml! Credential Encoding Priority Port UseSsl! DeliveryNotificationOption|DNO ReplyTo",
    "Unregister-ScheduledTask": f"TaskName=0 TaskPath InputObject CimSession AsJob! {_RISK}",
    "Register-ScheduledTask": f"TaskName=0 TaskPath Action Trigger User Password RunLevel Force! Xml Settings {_RISK}",
    "Disable-ComputerRestore": f"Drive=0 {_RISK}",
    "Clear-EventLog": f"LogName|LN=0 ComputerName|Cn=h1 {_RISK}",
    "Clear-RecycleBin": f"DriveLetter=0 Force! {_RISK}",
    "Remove-EventLog": f"LogName|LN=0 ComputerName|Cn=h1 Source {_RISK}",
    "Set-MpPreference": "DisableRealtimeMonitoring ExclusionPath ExclusionProcess ExclusionExtension "
    "DisableIOAVProtection DisableBehaviorMonitoring Force!",
    "Add-MpPreference": "ExclusionPath ExclusionProcess ExclusionExtension Force!",
    "Set-NetFirewallProfile": "Name|Profile=0 Enabled All! DefaultInboundAction DefaultOutboundAction",
    "Set-Location": f"Path=0 {_PATHS} PassThru! StackName",
    "Push-Location": f"Path=0 {_PATHS} PassThru! StackName",
    "Pop-Location": "PassThru! StackName",
    "Get-Location": "PSProvider PSDrive Stack! StackName",
    "Join-Path": "Path|PSPath=0 ChildPath=1 AdditionalChildPath Resolve! Credential",
    "Split-Path": "Path=0 LiteralPath Parent! Leaf! LeafBase! Extension! Qualifier! NoQualifier! IsAbsolute! Resolve!",
    "Write-Output": "InputObject=0 NoEnumerate!",
    "Write-Host": "Object|Msg|Message=0 NoNewline! Separator ForegroundColor BackgroundColor",
    "Set-Variable": f"Name=0 Value=1 Scope Option Visibility Force! PassThru! Description {_PICK} {_RISK}",
    "New-Variable": f"Name=0 Value=1 Scope Option Visibility Force! PassThru! Description {_RISK}",
    "Get-Variable": "Name=0 ValueOnly! Scope Include Exclude",
    "Set-Alias": f"Name=0 Value=1 Description Option PassThru! Scope Force! {_RISK}",
    "New-Object": "TypeName=0 ArgumentList|Args=1 ComObject Property Strict!",
    "ConvertTo-SecureString": "String=0 SecureKey=1 Key AsPlainText! Force!",
    "Test-Connection": "TargetName|ComputerName=h0 Count Quiet! Ping! Traceroute! TcpPort MtuSize!",
    "Test-NetConnection": "ComputerName|Cn=h0 Port CommonTCPPort TraceRoute! InformationLevel",
    "Resolve-DnsName": "Name=h0 Type=1 Server=h DnsOnly! CacheOnly! QuickTimeout!",
}
_CMDLETS["New-Alias"] = _CMDLETS["Set-Alias"]
_NAMES = {name.lower(): name for name in _CMDLETS}

# Aliases that PowerShell defines everywhere or only on Windows; what a Unix has as a program is in UNIX too.
ALIASES: dict[str, str] = {
    **dict.fromkeys(("rm", "del", "erase", "rd", "ri", "rmdir"), "remove-item"),
    **dict.fromkeys(("cat", "gc", "type"), "get-content"),
    **dict.fromkeys(("cp", "copy", "cpi"), "copy-item"),
    **dict.fromkeys(("mv", "move", "mi"), "move-item"),
    **dict.fromkeys(("ren", "rni"), "rename-item"),
    **dict.fromkeys(("ls", "dir", "gci"), "get-childitem"),
    **dict.fromkeys(("cd", "chdir", "sl"), "set-location"),
    **dict.fromkeys(("echo", "write"), "write-output"),
    **dict.fromkeys(("%", "foreach"), "foreach-object"),
    **dict.fromkeys(("?", "where"), "where-object"),
    **dict.fromkeys(("curl", "wget", "iwr"), "invoke-webrequest"),
    **dict.fromkeys(("spps", "kill"), "stop-process"),
    **dict.fromkeys(("saps", "start"), "start-process"),
    **dict.fromkeys(("gps", "ps"), "get-process"),
    **dict.fromkeys(("pwd", "gl"), "get-location"),
    **dict.fromkeys(("sort",), "sort-object"),
    **dict.fromkeys(("sv", "set"), "set-variable"),
    "sc": "set-content",
    "ac": "add-content",
    "clc": "clear-content",
    "cli": "clear-item",
    "ni": "new-item",
    "gi": "get-item",
    "mkdir": "new-item",
    "md": "new-item",
    "sp": "set-itemproperty",
    "rp": "remove-itemproperty",
    "irm": "invoke-restmethod",
    "iex": "invoke-expression",
    "icm": "invoke-command",
    "ii": "invoke-item",
    "sajb": "start-job",
    "sls": "select-string",
    "select": "select-object",
    "measure": "measure-object",
    "tee": "tee-object",
    "group": "group-object",
    "ft": "format-table",
    "fl": "format-list",
    "epcsv": "export-csv",
    "ipcsv": "import-csv",
    "ipmo": "import-module",
    "pushd": "push-location",
    "popd": "pop-location",
    "spsv": "stop-service",
    "sasv": "start-service",
    "gsv": "get-service",
    "nsn": "new-pssession",
    "etsn": "enter-pssession",
    "nal": "new-alias",
    "sal": "set-alias",
    "nv": "new-variable",
    "gv": "get-variable",
    "rvpa": "resolve-path",
    "sleep": "start-sleep",
    "cls": "clear-host",
    "clear": "clear-host",
    "history": "get-history",
    "gcm": "get-command",
    "gm": "get-member",
    "diff": "compare-object",
    "compare": "compare-object",
    "shcm": "show-command",
    "sbp": "set-psbreakpoint",
}
UNIX = frozenset(
    ("cat", "cp", "curl", "diff", "echo", "kill", "ls", "mkdir", "mv", "ps", "pwd", "rm", "rmdir", "sleep", "sort")
) | {"tee", "wget", "clear", "history"}
"""Aliases of cmdlets that are programs too: with options that the cmdlet does not have, the program is meant."""


def _parameter(text: str) -> Parameter:
    text, _, roles = text.partition("=")
    names = tuple(text.removesuffix("!").split("|"))
    digits = [char for char in roles if char.isdigit()]
    return Parameter(
        names=names,
        switch=text.endswith("!"),
        position=int(digits[0]) if digits else -1,
        roles="".join(char for char in roles if not char.isdigit()),
    )


_read: dict[str, dict[str, Parameter]] = {}


def parameters(program: str) -> dict[str, Parameter]:
    """Every name of each of a cmdlet's parameters, lower case; the common ones for a cmdlet that is not described."""
    if program not in _read:
        name = _NAMES.get(program, "")
        described = [_parameter(text) for text in f"{_CMDLETS.get(name, '')} {_COMMON}".split()]
        _read[program] = {name.lower(): one for one in described for name in one.names}
    return _read[program]


def described(program: str) -> bool:
    """Whether the parameters of a program (lower case) are known here."""
    return program in _NAMES


def canonical(program: str) -> str:
    """How a cmdlet's name is written, for a program in lower case."""
    return _NAMES.get(program, program)


def candidates(program: str, name: str) -> tuple[Parameter, ...]:
    """The parameters that a name without its dash may mean: none, one, or several that it abbreviates."""
    known = parameters(program)
    name = name.lower()
    if name in known:
        return (known[name],)
    found: list[Parameter] = []
    for other, one in known.items():
        if other.startswith(name) and other == one.names[0].lower() and one not in found:
            found.append(one)
    return tuple(found)


def spellings(one: Parameter) -> tuple[str, ...]:
    """What an option is called, with a dash, as documented and in lower case."""
    return tuple(dict.fromkeys(spelling for name in one.names for spelling in (f"-{name}", f"-{name.lower()}")))


def split(text: str) -> tuple[str, str | None]:
    """`-Name:value` as name and value (None without a colon); an empty name where the word is no parameter."""
    if len(text) < 2 or text[0] not in "-\u2013\u2014\u2015" or not (text[1].isalpha() or text[1] in "_?"):
        return "", None
    name, colon, value = text[1:].partition(":")
    return name, value if colon else None


def reading(program: str, words: Sequence[Word]) -> Reading:
    """The words behind a cmdlet's name, with its own abbreviations and without regard to case.

    An option's names are those of every parameter it may mean, as documented and in lower case. For a program that is
    not described any `-Name` is an option that may take the next word.
    """
    known = described(program)
    options: list[Option] = []
    operands: list[Operand] = []
    place = 0
    while place < len(words):
        word = words[place]
        place += 1
        name, attached = split(word.text)
        if not name:
            operands.append(Operand(word=word))
            continue
        found = candidates(program, name)
        names = tuple(spelling for one in found for spelling in spellings(one)) or tuple(
            dict.fromkeys((f"-{name}", f"-{name.lower()}"))
        )
        certain = len(found) == 1
        following = words[place] if place < len(words) and not split(words[place].text)[0] else None
        value: Word | None = None
        if certain and found[0].switch:
            if (attached or "").lower() in ("$false", "false", "0"):
                continue
        elif attached:
            value = word.replace(text=attached)
        elif certain or attached is not None:
            value = following
            place += following is not None
        elif following is not None and not all(one.switch for one in found or (Parameter(names=("",)),)):
            options.append(Option(names=names, word=word, value=following, certain=False))
            operands.append(Operand(word=following, doubtful=True))
            place += 1
            continue
        options.append(Option(names=names, word=word, value=value, certain=certain or not known))
    return Reading(options=tuple(options), operands=tuple(operands))
