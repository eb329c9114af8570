namespace Transfer.S3.IntegrationTests.Cli;

/// <summary><c>--expected-bucket-owner</c>: what the tool says if the bucket belongs to somebody else.</summary>
public sealed class BucketOwnerTests : ToolTest
{
    [Fact]
    public async Task AnotherOwner_TheErrorNamesTheOption()
    {
        await PutAsync("k", Sample.Bytes(10));
        string[] owner = ["--expected-bucket-owner", "210987654321"];

        ToolOutcome list = (await RunAsync(["ls", $"s3://{Bucket}/", .. owner])).Expect(1);
        ToolOutcome stat = (await RunAsync(["stat", $"s3://{Bucket}/k", .. owner])).Expect(1);

        Assert.Contains(
            "access denied; check the permissions of the credentials; the bucket may belong to another account than 210987654321 (--expected-bucket-owner)", list.Error, StringComparison.Ordinal);
        Assert.Contains("; the bucket may belong to another account than 210987654321 (--expected-bucket-owner)", stat.Error, StringComparison.Ordinal); // HEAD has no error code
        (await RunAsync("ls", $"s3://{Bucket}/", "--expected-bucket-owner", "000000000000")).Expect(0);
    }

    [Theory]
    [InlineData("12345678901")]
    [InlineData("a23456789012")]
    public async Task OtherTexts_AreRefused(string owner)
        => Assert.Contains("the ID of an account: 12 digits", (await RunAsync("ls", $"s3://{Bucket}/", "--expected-bucket-owner", owner)).Expect(2).Error, StringComparison.Ordinal);
}
