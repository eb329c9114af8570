using System.CommandLine;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Commands;

/// <summary><c>transfer completion</c>: writes a script that completes the tool's command lines in a shell, or the manual page.</summary>
/// <remarks>The scripts call the tool with the <c>[suggest]</c> directive, so that they always match its commands and options.</remarks>
internal sealed class CompletionCommand : ToolCommand
{
    /// <summary>The directive that precedes a command line up to the cursor, without the name of the tool.</summary>
    public const string Directive = "[suggest]";

    /// <summary>The name of the manual page among those of the shells.</summary>
    private const string Manual = "man";

    private static readonly (string Shell, string Script)[] Scripts =
    [
        ("bash", """
            _transfer() {
                local line=${COMP_LINE:0:COMP_POINT} found one
                local word=${line##* }
                mapfile -t found < <(transfer '[suggest]' "${line#* }" 2>/dev/null)
                COMPREPLY=()
                for one in "${found[@]}"; do
                    [[ $one == "$word"* ]] || continue
                    [[ $one == */ ]] && compopt -o nospace
                    [[ $word == *[:=]* && $COMP_WORDBREAKS == *[:=]* ]] && { local before=${word%[:=]*}; one=${one:${#before}+1}; }
                    COMPREPLY+=("$one")
                done
            }
            complete -o default -F _transfer transfer
            """),
        ("zsh", """
            #compdef transfer
            _transfer() {
                local -a begun found
                begun=("${(@)words[2,CURRENT-1]}" "$PREFIX")
                found=("${(@f)$(transfer '[suggest]' "${(j: :)begun}" 2>/dev/null)}")
                [[ -n ${found[1]} ]] || { _files; return }
                compadd -S '' -- ${(M)found:#*/}
                compadd -- ${found:#*/}
            }
            if [[ $funcstack[1] == _transfer ]]; then _transfer; else compdef _transfer transfer; fi
            """),
        ("fish", """
            function __transfer_complete
                transfer '[suggest]' (string join -- ' ' (commandline -opc)[2..-1] (commandline -ct)) 2>/dev/null
            end
            complete -c transfer -a '(__transfer_complete)'
            """),
        ("powershell", """
            Register-ArgumentCompleter -Native -CommandName transfer -ScriptBlock {
                param($word, $ast, $position)
                $line = $ast.ToString().PadRight($position).Substring(0, $position) -replace '^\S+ ', ''
                transfer '[suggest]' $line 2>$null | Where-Object { $_ -like "$word*" } |
                    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
            }
            """),
    ];

    private readonly Argument<string> _shell = new("SHELL") { Description = "bash, zsh, fish, or powershell. Give man for the manual page." };

    public CompletionCommand(CommandRunner runner)
        : base(
            runner, "completion", group: "Other", summary: "Write a completion script",
            description: "Write a script that completes commands and options when you press Tab.")
    {
        Examples =
        [
            ("source <(transfer completion bash)", "In ~/.bashrc"),
            ("source <(transfer completion zsh)", "In ~/.zshrc, after compinit"),
            ("transfer completion fish | source", "In ~/.config/fish/config.fish"),
            ("transfer completion man > ~/.local/share/man/man1/transfer.1", "Install the manual page"),
            ("transfer completion powershell | Out-String | Invoke-Expression", "In $PROFILE"),
        ];
        _shell.CompletionSources.Add([.. Scripts.Select(script => script.Shell), Manual]);
        Add(_shell);
    }

    protected override Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        string shell = line.GetRequiredValue(_shell);
        if (shell == Manual)
        {
            ManualPage.Write((ToolRoot)line.RootCommandResult.Command, invocation.Console.Output);
            return Task.CompletedTask;
        }

        string script = OptionValues.Convert<string>(new GivenValue(_shell.Name, shell), TryFind, "bash, zsh, fish, powershell, or man");
        return invocation.Console.Output.WriteLineAsync(script);
    }

    /// <summary>Gets the words that can follow a command line, also the names of buckets and keys. Options are only among them after a hyphen, so that shells complete file names elsewhere.</summary>
    public static async Task<IEnumerable<string>> CompleteAsync(RootCommand root, string line, AddressCompletion addresses)
    {
        string word = line[(line.LastIndexOf(' ') + 1)..];
        if (AddressCompletion.IsAddress(word))
        {
            return await addresses.CompleteAsync(line[..^word.Length].Split(' ', StringSplitOptions.RemoveEmptyEntries), word).ConfigureAwait(false);
        }

        int equals = word is ['-', ..] ? word.IndexOf('=', StringComparison.Ordinal) : -1;
        return equals < 0
            ? WordsAfter(root, line, wantsOptions: word is ['-', ..])
            : WordsAfter(root, $"{line[..^word.Length]}{word[..equals]} {word[(equals + 1)..]}", wantsOptions: false).Select(value => $"{word[..equals]}={value}");
    }

    private static string[] WordsAfter(RootCommand root, string line, bool wantsOptions)
    {
        try
        {
            return
            [
                .. root.Parse(line).GetCompletions(line.Length).Select(item => item.Label)
                    .Where(label => label is not (['/', ..] or "-?" or "True" or "False") && (wantsOptions || label[0] != '-')),
            ];
        }
        catch (InvalidOperationException)
        {
            return []; // the parser can't complete every line, and a message would appear in the middle of it
        }
    }

    private static bool TryFind(string shell, out string script)
    {
        script = Scripts.FirstOrDefault(one => one.Shell == shell).Script ?? string.Empty;
        return script.Length > 0;
    }
}
