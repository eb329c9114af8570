using Transfer.S3.Cli.Commands;

namespace Transfer.S3.Tests.Cli;

/// <summary>Texts about jobs.</summary>
public sealed class JobTextTests
{
    [Theory]
    [InlineData(0, 0, "0 objects")]
    [InlineData(1, 0, "1 object")]
    [InlineData(1, 1, "1 piece that finish completes")]
    [InlineData(3, 3, "3 pieces that finish completes")]
    [InlineData(3, 1, "2 objects and 1 piece that finish completes")]
    public void Of_SaysWhatIsAPiece(int done, int pieces, string text) => Assert.Equal(text, JobText.Format(new JobShardResult { Shard = 0, Done = done, DonePieces = pieces }));
}
