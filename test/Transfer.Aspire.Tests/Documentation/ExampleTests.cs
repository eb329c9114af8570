using Transfer.S3.Tests.Documentation;

namespace Transfer.S3.AspireTests.Documentation;

/// <summary>The examples of the pages that need the packages of Aspire, which the test of the other pages doesn't have.</summary>
public sealed class ExampleTests
{
    public static TheoryData<string> Pages => [.. MarkdownPages.OfAspire];

    [Theory]
    [MemberData(nameof(Pages))]
    public void Examples_Compile(string page)
    {
        CodeBlock[] examples = [.. MarkdownPages.Blocks(page).Where(block => block.Language == CodeBlock.CSharp)];

        Assert.NotEmpty(examples);
        Assert.Empty(examples.SelectMany(CSharpExample.Compile));
    }

    [Fact]
    public void MemberExamples_Compile()
    {
        IReadOnlyList<MemberExample> examples = MemberExample.Of(["Transfer.S3.Aspire", "Transfer.S3.Aspire.Hosting"]);

        Assert.True(examples.Select(example => example.Member).Distinct().Count() >= 5, $"{examples.Count} examples");
        Assert.Empty(CSharpExample.Compile(examples));
    }
}
