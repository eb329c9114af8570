using System.CommandLine;
using Transfer.Cli.Execution;
using Transfer.Cli.Options;

namespace Transfer.Cli.Commands;

/// <summary><c>transfer completion</c>: writes a script that completes the tool's command lines in a shell.</summary>
/// <remarks>The scripts call the tool with the <c>[suggest]</c> directive, so that they always match its commands and options.</remarks>
internal static class CompletionCommand
{
    /// <summary>The directive that precedes a command line up to the cursor, without the name of the tool.</summary>
    public const string Directive = "[suggest]";

    private static readonly (string Shell, string Script)[] Scripts =
    [
        ("bash", """
            _transfer() {
                local line=${COMP_LINE:0:COMP_POINT} word=${COMP_WORDS[COMP_CWORD]}
                mapfile -t COMPREPLY < <(compgen -W "$(transfer '[suggest]' "${line#* }" 2>/dev/null)" -- "$word")
            }
            complete -o default -F _transfer transfer
            """),
        ("zsh", """
            #compdef transfer
            _transfer() {
                local -a found
                found=("${(@f)$(transfer '[suggest]' "${${LBUFFER}#* }" 2>/dev/null)}")
                [[ -n ${found[1]} ]] && compadd -- "${found[@]}" || _files
            }
            compdef _transfer transfer
            """),
        ("fish", """
            function __transfer_complete
                transfer '[suggest]' (commandline -cp | string replace -r '^\S+ ' '') 2>/dev/null
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

    public static Command Create(CommandRunner runner)
    {
        Argument<string> shell = new("SHELL") { Description = "bash, zsh, fish, or powershell." };
        shell.CompletionSources.Add([.. Scripts.Select(script => script.Shell)]);
        OutputOptions output = new();
        ToolCommand symbol = new("completion", "Write a script that completes commands and options when you press Tab.")
        {
            Group = "Other",
            Summary = "Write a completion script",
            Examples =
            [
                ("source <(transfer completion bash)", "In ~/.bashrc"),
                ("source <(transfer completion zsh)", "In ~/.zshrc, after compinit"),
                ("transfer completion fish | source", "In ~/.config/fish/config.fish"),
                ("transfer completion powershell | Out-String | Invoke-Expression", "In $PROFILE"),
            ],
        };
        symbol.Add(shell);
        symbol.SetAction((line, cancellationToken) => runner.RunAsync(
            line,
            output,
            (invocation, _) =>
            {
                string script = OptionValues.Convert<string>(new GivenValue(shell.Name, line.GetRequiredValue(shell)), TryFind, "bash, zsh, fish, or powershell");
                return invocation.Console.Output.WriteLineAsync(script);
            },
            cancellationToken));
        return symbol;
    }

    /// <summary>Gets the words that can follow a command line. Options are only among them after a hyphen, so that shells complete file names elsewhere.</summary>
    public static IEnumerable<string> Complete(RootCommand root, string line)
    {
        bool wantsOptions = line[(line.LastIndexOf(' ') + 1)..] is ['-', ..];
        return root.Parse(line).GetCompletions(line.Length).Select(item => item.Label)
            .Where(label => label is not (['/', ..] or "-?" or "True" or "False") && (wantsOptions || label[0] != '-'));
    }

    private static bool TryFind(string shell, out string script)
    {
        script = Scripts.FirstOrDefault(one => one.Shell == shell).Script ?? string.Empty;
        return script.Length > 0;
    }
}
