using Transfer.S3.Cli.Commands;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Tests.Cli;

public sealed class FreeSpaceCheckTests
{
    private readonly List<string> _warnings = [];

    [Theory]
    [InlineData(1000, 0, 999L, 1)]
    [InlineData(1000, 0, 1000L, 0)]
    [InlineData(1000, 500, 500L, 0)]
    [InlineData(1000, 0, null, 0)]
    public void Report_TotalThatDoesNotFit_WarnsOnce(long total, long resumed, long? free, int warnings)
    {
        FreeSpaceCheck check = new(NoProgress.Instance, "dir", free, _warnings.Add);
        check.Report(new TransferProgress { BytesTransferred = 10, BytesPerSecond = 1 });
        Assert.Empty(_warnings);

        for (int i = 0; i < 2; i++)
        {
            check.Report(new TransferProgress { BytesTransferred = resumed, TotalBytes = total, BytesPerSecond = 1, PartsCompleted = 0, BytesResumed = resumed });
        }

        Assert.Equal(warnings, _warnings.Count);
        Assert.All(_warnings, warning => Assert.Equal("1000 B may not fit in 'dir', which has 999 B of free space", warning));
    }

    [Fact]
    public void Report_CompletedDownload_DoesNotWarn()
    {
        FreeSpaceCheck check = new(NoProgress.Instance, "dir", 1, _warnings.Add);
        check.Report(new TransferProgress { BytesTransferred = 1000, TotalBytes = 1000, BytesPerSecond = 1 });
        Assert.Empty(_warnings);
    }

    [Fact]
    public void FreeBytes_MissingFolder_IsThatOfItsParent()
        => Assert.True(FreeSpaceCheck.FreeBytes(Path.Combine(Path.GetTempPath(), "there/is/no/such")) > 0);
}
