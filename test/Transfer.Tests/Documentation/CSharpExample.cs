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

    // The examples of the XML documentation also copy to another store, and continue with what another one has returned.
    private const string MemberVariables = $"""
        {GuideVariables}
        static Transfer.S3.TransferClient targetClient = null!;
        static Transfer.S3.PresignedUpload upload = null!;
        static System.Uri url = null!;
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
        return FindErrors(isProgram ? ImplicitUsings : $"{ImplicitUsings}\n{GuideUsings}", [Program(block, isProgram ? string.Empty : GuideVariables)]);
    }

    /// <summary>Compiles the examples of the XML documentation together, each in a namespace of its own. The page of an error is the ID of the member.</summary>
    public static IReadOnlyList<string> Compile(IEnumerable<MemberExample> examples)
        => FindErrors($"{ImplicitUsings}\n{GuideUsings}", examples.Select((example, i) => Program(new CodeBlock(example.Member, 1, CodeBlock.CSharp, example.Code), MemberVariables, $"namespace Example{i};")));

    /// <summary>Gets the public types of the libraries.</summary>
    public static IReadOnlyList<INamedTypeSymbol> FindPublicTypes(IEnumerable<string> assemblies)
    {
        CSharpCompilation compilation = CSharpCompilation.Create("Types", references: References.Value);
        return [.. compilation.SourceModule.ReferencedAssemblySymbols.Where(assembly => assemblies.Contains(assembly.Name, StringComparer.Ordinal)).SelectMany(assembly => Types(assembly.GlobalNamespace))];

        static IEnumerable<INamedTypeSymbol> Types(INamespaceSymbol space)
            => space.GetTypeMembers().Where(type => type.DeclaredAccessibility == Accessibility.Public).Concat(space.GetNamespaceMembers().SelectMany(Types));
    }

    /// <summary>Gets the identifiers in an example.</summary>
    public static IEnumerable<string> FindNames(MemberExample example)
        => CSharpSyntaxTree.ParseText(example.Code, Parsing).GetRoot().DescendantTokens().Where(token => token.IsKind(SyntaxKind.IdentifierToken)).Select(token => token.ValueText);

    private static IReadOnlyList<string> FindErrors(string usings, IEnumerable<string> programs)
    {
        CSharpCompilation compilation = CSharpCompilation.Create(
            "Example",
            programs.Prepend(usings).Select(text => CSharpSyntaxTree.ParseText(text, Parsing)),
            References.Value,
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable));
        return [.. compilation.GetDiagnostics().Where(one => one.Severity == DiagnosticSeverity.Error).Select(Describe)];
    }

    /// <summary>Puts the statements into a method, so that the names that the examples assume can be members of its class.</summary>
    private static string Program(CodeBlock block, string variables, string declaration = "")
    {
        CompilationUnitSyntax unit = CSharpSyntaxTree.ParseText(block.Text, Parsing).GetCompilationUnitRoot();
        return $$"""
            {{Text(unit.Usings)}}
            {{declaration}}
            static class Example
            {
            #line hidden
            {{variables}}
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
