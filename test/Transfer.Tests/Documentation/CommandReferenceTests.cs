namespace Transfer.S3.Tests.Documentation;

public sealed class CommandReferenceTests
{
    private static readonly string Path = System.IO.Path.Combine(MarkdownPages.Root, "docs", "reference.md");

    [Fact]
    public void Page_IsThatOfTheTool()
    {
        string page = CommandReference.Write();
        if (Environment.GetEnvironmentVariable("TRANSFER_WRITE_REFERENCE") == "1")
        {
            File.WriteAllText(Path, page);
        }

        Assert.True(File.Exists(Path) && File.ReadAllText(Path) == page, "docs/reference.md isn't that of the tool. Run the tests with TRANSFER_WRITE_REFERENCE=1 and commit the change.");
    }
}
