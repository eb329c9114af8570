namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>Errors that say what was probably meant.</summary>
public sealed class AdviceTests : ToolTest
{
    [Fact]
    public async Task Cp_PrefixWithoutRecursive_CountsItsObjectsAndNamesTheOption()
    {
        await PutPhotosAsync();
        Directory.CreateDirectory(GetPath("photos"));

        foreach (string target in (string[])[GetPath("."), GetPath("new")])
        {
            ToolOutcome outcome = (await RunAsync("cp", "s3://bucket/photos", target)).Expect(1);
            Assert.Contains("s3://bucket/photos: there is no such object; 3 objects are under s3://bucket/photos/; add --recursive (-r) to copy them", outcome.Error, StringComparison.Ordinal);
        }

        Assert.DoesNotContain("objects are under", (await RunAsync("cp", "s3://bucket/none", GetPath("new"))).Expect(1).Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Cp_TargetIsAFolderWithTheNameOfTheObject_SaysSo()
    {
        await PutAsync("photos", [1]);
        Directory.CreateDirectory(GetPath("photos"));

        Assert.Contains("photos' is a folder; specify the name of the file to write", (await RunAsync("cp", "s3://bucket/photos", GetPath("."))).Expect(2).Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("cat", "s3://bucket/photos", "3 objects are under s3://bucket/photos/; 'transfer ls s3://bucket/photos/' lists them")]
    [InlineData("stat", "s3://bucket/photos", "3 objects are under s3://bucket/photos/; 'transfer ls s3://bucket/photos/' lists them")]
    [InlineData("cat", "s3://bucket/photos/*.jpg", "there is no such object; use 'transfer cp -r 's3://bucket/photos/*.jpg' DST' to copy what matches")]
    [InlineData("stat", "s3://bucket/?.jpg", "there is no such object; use 'transfer ls 's3://bucket/?.jpg'' to list what matches")]
    [InlineData("du", "s3://bucket/*.jpg", "s3://bucket/*.jpg: nothing matches; * and ? don't match a /")]
    [InlineData("ls", "s3://bucket/*.jpg", "s3://bucket/*.jpg: nothing matches; * and ? don't match a /")]
    public async Task Command_PrefixOrWildcard_SaysWhatToDo(string command, string address, string expected)
    {
        await PutPhotosAsync();

        Assert.Contains(expected, (await RunAsync(command, address)).Expect(1).Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Cp_Wildcard_NamesTheOptions()
    {
        await PutPhotosAsync();

        Assert.Contains(
            "there is no such object; use 'transfer cp -r 's3://bucket/photos/*.jpg' DST' to copy what matches",
            (await RunAsync("cp", "s3://bucket/photos/*.jpg", GetPath("out/"))).Expect(1).Error,
            StringComparison.Ordinal);
        Assert.Contains(
            "s3://bucket/photos/*.png: nothing matches; * and ? don't match a /",
            (await RunAsync("cp", "-r", "s3://bucket/photos/*.png", GetPath("out"))).Expect(1).Error,
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task Filters_SelectNothing_FailWithTheReason()
    {
        await PutPhotosAsync();
        Directory.CreateDirectory(GetPath("d"));
        await File.WriteAllTextAsync(GetPath("d/a.jpg"), "a");

        Assert.Contains(
            "nothing matched: --exclude '*' also removes what --include selects",
            (await RunAsync("cp", GetPath("d"), "s3://bucket/x", "--recursive", "--include", "*.jpg", "--exclude", "*")).Expect(1).Error,
            StringComparison.Ordinal);
        (await RunAsync("cp", GetPath("d"), "s3://bucket/x", "--recursive", "--exclude", "*", "--include", "*.jpg")).Expect(0); // as with the AWS CLI
        Assert.Contains("nothing matched --min-size 1GiB", (await RunAsync("cp", "-r", "s3://bucket", GetPath("out"), "--min-size", "1GiB")).Expect(1).Error, StringComparison.Ordinal);
        Assert.Contains("nothing matched --include '*.png'", (await RunAsync("cp", "-r", "s3://bucket", GetPath("out"), "--include", "*.png")).Expect(1).Error, StringComparison.Ordinal);
        Assert.Contains("nothing matched --include '*.png'", (await RunAsync("cp", "-r", "--dry-run", GetPath("d"), "s3://bucket/x", "--include", "*.png")).Expect(1).Error, StringComparison.Ordinal);
        Assert.Contains("nothing matched --include '*.png'", (await RunAsync("verify", GetPath("d"), "s3://bucket/photos", "--include", "*.png")).Expect(1).Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Error_OfCredentials_NamesTheirSource()
    {
        await File.WriteAllTextAsync(GetPath("credentials"), "[new]\naws_access_key_id = AKIAUNKNOWN\naws_secret_access_key = hush\n");
        Environment["AWS_SHARED_CREDENTIALS_FILE"] = GetPath("credentials");

        ToolOutcome outcome = (await RunAsync("ls", "--profile", "new", "--region", Server.Region)).Expect(1);

        Assert.Contains("the store does not know the credentials of profile 'new'", outcome.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("hush", outcome.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Cp_InsecureAndABundleOfTheTarget_ReadsTheBundle()
        => Assert.Contains(
            "--to-ca-bundle got '/there/is/no/such/bundle'",
            (await RunAsync(
                "cp", "--insecure", "--from-endpoint-url", "https://127.0.0.1:1", "--to-endpoint-url", "https://127.0.0.1:1", "--to-ca-bundle", "/there/is/no/such/bundle", "s3://b/k", "s3://b/l"))
                .Expect(2).Error,
            StringComparison.Ordinal);

    [Fact]
    public async Task Options_BeforeTheCommand_AreUsed()
    {
        string endpoint = Environment["AWS_ENDPOINT_URL_S3"];
        Environment.Remove("AWS_ENDPOINT_URL_S3");
        await PutAsync("k", [1]);

        Assert.Contains(" k\n", (await RunAsync("--endpoint-url", endpoint, "ls", "s3://bucket")).Expect(0).Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Summary_OfATinyCopy_HasNoRate()
    {
        await PutAsync("k", [1, 2, 3]);

        string error = (await RunAsync("cp", "s3://bucket/k", GetPath("k"))).Expect(0).Error;

        Assert.StartsWith("3 B in ", error, StringComparison.Ordinal);
        Assert.DoesNotContain("/s)", error, StringComparison.Ordinal);
        Assert.DoesNotContain("limited by", error, StringComparison.Ordinal);
    }

    private async Task PutPhotosAsync()
    {
        await PutAsync("photos/1.jpg", [1]);
        await PutAsync("photos/2.jpg", [2]);
        await PutAsync("photos/raw/3.jpg", [3]);
    }
}
