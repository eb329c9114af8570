namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>The disk with the journal of a publication is full: what can't be recorded isn't published.</summary>
public sealed class PublishFullDiskTests : ToolTest
{
    private const int Objects = 30;
    private const int Step = 4096;

    [Fact]
    public async Task JournalCannotGrow_NothingIsPublished()
    {
        if (!OperatingSystem.IsLinux())
        {
            return; // the limit is that of its shell
        }

        await PutManyAsync("t/old");
        Directory.CreateDirectory(GetPath("tree"));
        for (int i = 0; i < Objects; i++)
        {
            await WriteFileAsync($"tree/{i:00}", [1, 2, 3]);
        }

        int failures = 0;
        ToolOutcome outcome;
        do
        {
            outcome = await ToolProcess.RunWithFileLimitAsync(Step * (failures + 1), Environment, "sync", "--publish", GetPath("tree"), $"s3://{Bucket}/t");
            Assert.Equal(0, await CountUnfinishedUploadsAsync());
            if (outcome.ExitCode != 0)
            {
                failures++;
                Assert.Contains("nothing was published, because the journal can't be written", outcome.Expect(1).Error, StringComparison.OrdinalIgnoreCase);
                Assert.Equal(["t/old"], await KeysAsync());
            }
        }
        while (outcome.ExitCode != 0 && failures < 100);

        Assert.InRange(failures, 2, 99);
        Assert.Equal(Objects + 1, (await KeysAsync()).Length);
        Assert.All(Directory.EnumerateFiles(State, "*", SearchOption.AllDirectories), static file => Assert.EndsWith(".sync", file, StringComparison.Ordinal));
    }
}
