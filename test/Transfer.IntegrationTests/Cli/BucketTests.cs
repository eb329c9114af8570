using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.IntegrationTests.Stores;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary><c>transfer mb</c> and <c>transfer rb</c>.</summary>
public sealed class BucketTests
{
    [Theory]
    [Stores(OurWireOnly = true)]
    public async Task MakeAndRemove_EmptyBucket_Succeed(string store)
    {
        await using ToolStore tool = await ToolStore.StartAsync(store);
        string bucket = tool.Bucket + "-new";

        Assert.Equal($"created s3://{bucket}\n", (await tool.RunAsync("mb", $"s3://{bucket}")).Expect(0).Error);
        Assert.Contains(bucket, (await tool.RunAsync("ls")).Expect(0).Text, StringComparison.Ordinal);
        ToolOutcome removed = (await tool.RunAsync("rb", $"s3://{bucket}/", "--json", "--quiet")).Expect(0);

        Assert.Equal("rb", removed.Json.GetProperty("operation").GetString());
        Assert.Empty(removed.Error);
        Assert.DoesNotContain(bucket, (await tool.RunAsync("ls")).Expect(0).Text, StringComparison.Ordinal);
        Assert.Contains($"s3://{bucket}/: there is no such bucket", (await tool.RunAsync("rb", $"s3://{bucket}")).Expect(1).Error, StringComparison.Ordinal);
    }

    /// <summary>In us-east-1, Amazon S3 says that it created the bucket.</summary>
    [Fact]
    public async Task Make_OwnBucketExists_Fails()
    {
        await using EmbeddedS3Server server = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Buckets = ["bucket"], Region = "eu-central-1" }).Within();
        Dictionary<string, string> environment = new()
        {
            ["AWS_ACCESS_KEY_ID"] = server.AccessKeyId,
            ["AWS_SECRET_ACCESS_KEY"] = server.SecretAccessKey,
            ["AWS_ENDPOINT_URL_S3"] = server.Endpoint.ToString(),
        };

        ToolOutcome outcome = (await ToolProcess.RunAsync(environment, "mb", "s3://bucket", "--region", "eu-central-1")).Expect(1);

        Assert.Contains("s3://bucket/: the bucket already exists, and you own it (BucketAlreadyOwnedByYou", outcome.Error, StringComparison.Ordinal);
    }

    [Theory]
    [Stores(OurWireOnly = true)]
    public async Task Remove_BucketWithAnObject_FailsAndKeepsIt(string store)
    {
        await using ToolStore tool = await ToolStore.StartAsync(store);
        await tool.PutAsync("k", [1]);
        ToolOutcome outcome = (await tool.RunAsync("rb", $"s3://{tool.Bucket}")).Expect(1);
        Assert.Contains($"s3://{tool.Bucket}/: the bucket is not empty; only a bucket without objects and old versions can be removed (BucketNotEmpty", outcome.Error, StringComparison.Ordinal);
        Assert.Single((await tool.RunAsync("ls", $"s3://{tool.Bucket}")).Expect(0).Lines);
    }

    [Theory]
    [InlineData("us-east-1", null)]
    [InlineData("eu-central-1", "<LocationConstraint>eu-central-1</LocationConstraint>")]
    public async Task Make_Region_IsSentUnlessItIsTheDefault(string region, string? expected)
    {
        await using ScriptedServer server = new(_ => ScriptedAnswer.Text("HTTP/1.1 200 OK\r\nx-amz-request-id: R1", string.Empty));
        Dictionary<string, string> environment = new() { ["AWS_ACCESS_KEY_ID"] = "id", ["AWS_SECRET_ACCESS_KEY"] = "secret", ["AWS_ENDPOINT_URL_S3"] = server.Url };

        (await ToolProcess.RunAsync(environment, "mb", "s3://bucket", "--region", region)).Expect(0);

        string body = System.Text.Encoding.UTF8.GetString(Assert.Single(server.Requests).Body);
        if (expected is null)
        {
            Assert.DoesNotContain("LocationConstraint>", body, StringComparison.Ordinal);
        }
        else
        {
            Assert.Contains(expected, body, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Make_NameOfSomebodyElse_SaysSo()
    {
        await using ScriptedServer server = new(_ => ScriptedAnswer.Error(409, "BucketAlreadyExists"));
        Dictionary<string, string> environment = new() { ["AWS_ACCESS_KEY_ID"] = "id", ["AWS_SECRET_ACCESS_KEY"] = "secret", ["AWS_ENDPOINT_URL_S3"] = server.Url };
        ToolOutcome outcome = (await ToolProcess.RunAsync(environment, "mb", "s3://bucket")).Expect(1);
        Assert.Contains("somebody else already has a bucket of this name", outcome.Error, StringComparison.Ordinal);
    }
}
