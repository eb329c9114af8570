namespace Transfer.S3.Tests.Documentation;

public sealed class CSharpExampleTests
{
    public static TheoryData<string> Pages => [.. MarkdownPages.All.Except(MarkdownPages.OfAspire).Where(page => MarkdownPages.Blocks(page).Any(block => block.Language == CodeBlock.CSharp))];

    [Theory]
    [MemberData(nameof(Pages))]
    public void Examples_Compile(string page)
        => Assert.Empty(MarkdownPages.Blocks(page).Where(block => block.Language == CodeBlock.CSharp).SelectMany(CSharpExample.Compile));

    [Fact]
    public void Compile_WrongStatement_NamesPageAndLine()
    {
        CodeBlock block = new("docs/page.md", 10, CodeBlock.CSharp, "int one = 1;\nawait client.UploadAsync(one);");

        string error = Assert.Single(CSharpExample.Compile(block));

        Assert.StartsWith("docs/page.md(11): CS", error, StringComparison.Ordinal);
    }

    [Fact]
    public void Compile_MissingUsingInTheReadme_Fails()
        => Assert.NotEmpty(CSharpExample.Compile(new CodeBlock(MarkdownPages.Readme, 1, CodeBlock.CSharp, "TransferClientOptions options = new();")));
}
