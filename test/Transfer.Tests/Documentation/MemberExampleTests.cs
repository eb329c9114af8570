using Microsoft.CodeAnalysis;
using Transfer.S3.Server;
using Transfer.S3.TransferUtility;

namespace Transfer.S3.Tests.Documentation;

/// <summary>What is public has an example, and the examples compile.</summary>
public sealed class MemberExampleTests
{
    private static readonly string[] Assemblies = [.. new[] { typeof(TransferClient), typeof(TransferJob), typeof(TransferUtilityAdapter), typeof(EmbeddedS3Server) }.Select(type => type.Assembly.GetName().Name!)];
    private static readonly IReadOnlyList<MemberExample> All = MemberExample.Of(Assemblies);
    private static readonly Lazy<IReadOnlyList<INamedTypeSymbol>> Types = new(() => CSharpExample.FindPublicTypes(Assemblies));
    private static readonly HashSet<string> WithExample = [.. All.Select(example => example.Member)];

    [Fact]
    public void Examples_Compile() => Assert.Empty(CSharpExample.Compile(All));

    [Fact]
    public void Compile_WrongStatement_NamesMemberAndLine()
    {
        MemberExample[] examples = [new("T:One", "int one = 1;"), new("T:Two", "int one = 1;\nawait client.UploadAsync(one);")];

        string error = Assert.Single(CSharpExample.Compile(examples));

        Assert.StartsWith("T:Two(2): CS", error, StringComparison.Ordinal);
    }

    [Fact]
    public void MethodsOfTheClient_HaveExamples()
        => AssertExamples(Types.Value.Single(type => type.Name == nameof(ITransferClient)).GetMembers().OfType<IMethodSymbol>());

    [Fact]
    public void ExtensionMethods_HaveExamples()
        => AssertExamples(Types.Value.Where(type => type.IsStatic).SelectMany(type => type.GetMembers()).OfType<IMethodSymbol>().Where(method => method.IsExtensionMethod));

    [Fact]
    public void Options_HaveExamples()
        => AssertExamples(Types.Value.Where(type => type.Name.EndsWith("Options", StringComparison.Ordinal)));

    /// <summary>A type without an example of its own is used in another one, or is the type of a property of such a type.</summary>
    [Fact]
    public void Types_AreInExamples()
    {
        HashSet<string> names = [.. All.SelectMany(CSharpExample.FindNames)];
        Dictionary<ISymbol, INamedTypeSymbol> types = Types.Value.Where(type => type is { IsStatic: false, TypeKind: TypeKind.Class or TypeKind.Struct }).ToDictionary(type => (ISymbol)type, SymbolEqualityComparer.Default);
        HashSet<ISymbol> covered = new(SymbolEqualityComparer.Default);
        Stack<INamedTypeSymbol> remaining = new(types.Values.Where(type => names.Contains(type.Name) || HasExample(type)));
        while (remaining.TryPop(out INamedTypeSymbol? type))
        {
            if (covered.Add(type))
            {
                IEnumerable<ITypeSymbol> used = type.GetMembers().OfType<IPropertySymbol>().Where(property => property.DeclaredAccessibility == Accessibility.Public).Select(property => property.Type);
                foreach (INamedTypeSymbol next in used.SelectMany(WithArguments).Where(types.ContainsKey))
                {
                    remaining.Push(next);
                }
            }
        }

        Assert.Empty(types.Values.Where(type => !covered.Contains(type)).Select(type => type.Name));
    }

    private static IEnumerable<INamedTypeSymbol> WithArguments(ITypeSymbol type)
        => type is INamedTypeSymbol named ? named.TypeArguments.SelectMany(WithArguments).Prepend(named.OriginalDefinition) : [];

    private static void AssertExamples(IEnumerable<ISymbol> symbols)
    {
        ISymbol[] all = [.. symbols];
        Assert.NotEmpty(all);
        Assert.Empty(all.Where(symbol => !HasExample(symbol)).Select(symbol => symbol.GetDocumentationCommentId()));
    }

    private static bool HasExample(ISymbol symbol) => WithExample.Contains(symbol.GetDocumentationCommentId()!);
}
