using Transfer.S3.Cli.Execution;

namespace Transfer.S3.Tests.Cli;

public sealed class MessageStyleTests
{
    [Theory]
    [InlineData("The path './photos' is a directory. Specify the file to write.", "the path './photos' is a directory; specify the file to write")]
    [InlineData("Could not find file '/proc/self/fd/85/.x.27f7b3d32780.transfer'.", "could not find file '.x.27f7b3d32780.transfer'")]
    [InlineData("s3://bucket/photos/ is under it, so the copies would be copied again.", "s3://bucket/photos/ is under it, so the copies would be copied again")]
    [InlineData("PartSize is 1. It must be more.", "PartSize is 1; it must be more")]
    [InlineData("Amazon S3 has no such part.", "Amazon S3 has no such part")]
    [InlineData("SSE-C needs HTTPS.", "SSE-C needs HTTPS")]
    [InlineData("", "")]
    public void Apply_MessageOfTheLibrary_IsInTheStyleOfTheTool(string message, string expected) => Assert.Equal(expected, MessageStyle.Apply(message));
}
