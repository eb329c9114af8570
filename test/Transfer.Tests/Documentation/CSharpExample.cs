using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Transfer.S3.Tests.Documentation;

/// <summary>Compiles the C# code blocks of the documentation against the libraries as users reference them.</summary>
internal static class CSharpExample
{
    private const string ImplicitUsings = """
        global using System;
        global using System.Collections.Generic;
        global using System.IO;
        global using System.Linq;
        global using System.Net.Http;
        global using System.Threading;
        global using System.Threading.Tasks;
        """;

    // docs/getting-started.md states these assumptions for the examples in the guides.
    private const string GuideUsings = "global using Amazon.S3; global using Transfer.S3; global using Transfer.S3.Server;";
    private const string GuideVariables = """
        static Transfer.S3.TransferClient client = null!;
        static Amazon.S3.IAmazonS3 s3 = null!;
        static Transfer.S3.Server.EmbeddedS3Server server = null!;
        static System.Threading.CancellationToken cancellationToken;
        """;

    private static readonly CSharpParseOptions Parsing = new(LanguageVersion.CSharp14);

    private static readonly Lazy<IReadOnlyList<MetadataReference>> References = new(() =>
    [
        .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator).Select(path => MetadataReference.CreateFromFile(path)),
    ]);

    /// <summary>Compiles a block. Blocks of a README must be complete programs; those of the guides are fragments.</summary>
    /// <returns>The errors, with the page and the line numbers.</returns>
    public static IReadOnlyList<string> Compile(CodeBlock block)
    {
        bool isProgram = Path.GetFileName(block.Page) == MarkdownPages.Readme;
        CSharpCompilation compilation = CSharpCompilation.Create(
            "Example",
            [CSharpSyntaxTree.ParseText(isProgram ? ImplicitUsings : $"{ImplicitUsings}\n{GuideUsings}", Parsing), CSharpSyntaxTree.ParseText(Program(block, isProgram), Parsing)],
            References.Value,
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable));
        return [.. compilation.GetDiagnostics().Where(one => one.Severity == DiagnosticSeverity.Error).Select(Describe)];
    }

    /// <summary>Puts the statements into a method, so that the names that the guides assume can be members of its class.</summary>
    private static string Program(CodeBlock block, bool isProgram)
    {
        CompilationUnitSyntax unit = CSharpSyntaxTree.ParseText(block.Text, Parsing).GetCompilationUnitRoot();
        return $$"""
            {{Text(unit.Usings)}}
            static class Example
            {
            #line hidden
            {{(isProgram ? string.Empty : GuideVariables)}}
            static async Task RunAsync()
            {
            {{Text(unit.Members.OfType<GlobalStatementSyntax>())}}
            #line hidden
            await Task.CompletedTask;
            }
            }
            {{Text(unit.Members.Where(member => member is not GlobalStatementSyntax))}}
            """;

        string Text(IEnumerable<SyntaxNode> nodes) => string.Join(
            '\n', nodes.Select(node => $"#line {block.Line + node.GetLocation().GetLineSpan().StartLinePosition.Line} \"{block.Page}\"\n{node}"));
    }

    private static string Describe(Diagnostic diagnostic)
    {
        FileLinePositionSpan place = diagnostic.Location.GetMappedLineSpan();
        return $"{place.Path}({place.StartLinePosition.Line + 1}): {diagnostic.Id}: {diagnostic.GetMessage()}";
    }
}
