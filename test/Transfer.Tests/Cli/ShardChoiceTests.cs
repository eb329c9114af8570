using Transfer.S3.Cli.Options;

namespace Transfer.S3.Tests.Cli;

/// <summary>Which shard a task of an array runs, by the variables of its engine.</summary>
public sealed class ShardChoiceTests
{
    [Theory]
    [InlineData("SLURM_ARRAY_TASK_ID=0", 0, 0)]
    [InlineData("SLURM_ARRAY_TASK_ID=7", 7, 7)]
    [InlineData("JOB_COMPLETION_INDEX=0", 0, 0)]
    [InlineData("AWS_BATCH_JOB_ARRAY_INDEX=9999", 9999, 9999)]
    [InlineData("SGE_TASK_ID=1", 0, 0)]
    [InlineData("SGE_TASK_ID=1 SGE_TASK_STEPSIZE=1 SGE_TASK_LAST=10", 0, 0)]
    [InlineData("SGE_TASK_ID=11 SGE_TASK_STEPSIZE=5 SGE_TASK_LAST=100", 10, 14)]
    [InlineData("SGE_TASK_ID=11 SGE_TASK_STEPSIZE=5 SGE_TASK_LAST=12", 10, 11)]
    [InlineData("PBS_ARRAY_INDEX=0", 0, 0)]
    [InlineData("LSB_JOBINDEX=1", 0, 0)]
    [InlineData("CLOUD_RUN_TASK_INDEX=3", 3, 3)]
    [InlineData("BATCH_TASK_INDEX=3", 3, 3)]
    [InlineData("CI_NODE_INDEX=1", 0, 0)]
    [InlineData("SGE_TASK_ID=undefined LSB_JOBINDEX=0 JOB_COMPLETION_INDEX=4", 4, 4)]
    [InlineData("TRANSFER_SHARD=5 JOB_COMPLETION_INDEX=4 SLURM_ARRAY_TASK_ID=3", 5, 5)]
    public void Variables_AreThoseOfEachEngine(string variables, int first, int last)
    {
        ShardChoice choice = Resolve(variables, string.Empty);
        Assert.EachEqual((first, last), (choice.Shards.First(), choice.Shards.Last()));
        Assert.Contains(variables.Split('=')[0] is "SGE_TASK_ID" && first == 4 ? "JOB_COMPLETION_INDEX" : variables.Split('=')[0], choice.Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("SLURM_ARRAY_TASK_ID=3", "--shard 8", 8, 8)]
    [InlineData("TRANSFER_SHARD=3", "--shards 2-5", 2, 5)]
    [InlineData("", "--shards 2-2", 2, 2)]
    public void CommandLine_IsFirst(string variables, string line, int first, int last)
    {
        ShardChoice choice = Resolve(variables, line);
        Assert.EachEqual((first, last), (choice.Shards.First(), choice.Shards.Last()));
        Assert.Contains("--shard", choice.Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("", "", "nothing says which shard to run")]
    [InlineData("SLURM_ARRAY_TASK_ID=3 JOB_COMPLETION_INDEX=3", "", "SLURM_ARRAY_TASK_ID and JOB_COMPLETION_INDEX are both set")]
    [InlineData("SGE_TASK_ID=0", "", "SGE_TASK_ID got '0'; it accepts an index from 1")]
    [InlineData("CI_NODE_INDEX=x", "", "CI_NODE_INDEX got 'x'; it accepts the index of a task")]
    [InlineData("TRANSFER_SHARD=-1", "", "TRANSFER_SHARD got '-1'; it accepts the index of a shard, from 0")]
    [InlineData("", "--shards 5-2", "--shards got '5-2'; it accepts indices of shards in ascending order, such as 0-9 or 1,3,5-7")]
    [InlineData("", "--shards 3,1", "--shards got '3,1'; it accepts indices")]
    [InlineData("", "--shards 1-3,3", "--shards got '1-3,3'; it accepts indices")]
    [InlineData("", "--shards 1,", "--shards got '1,'; it accepts indices")]
    [InlineData("", "--shards 1-2-3", "--shards got '1-2-3'; it accepts indices")]
    [InlineData("", "--shard 1 --shards 1-2", "contradict each other")]
    [InlineData("SGE_TASK_ID=1 SGE_TASK_STEPSIZE=99999999999", "", "SGE_TASK_STEPSIZE got")]
    public void Wrong_IsAnError(string variables, string line, string message)
        => Assert.Contains(message, Assert.Throws<UsageException>(() => Resolve(variables, line)).Message, StringComparison.Ordinal);

    [Fact]
    public void Shards_AList_IsInItsOrder()
    {
        ShardChoice choice = Resolve(string.Empty, "--shards 1,3,5-7");
        Assert.Equal([1, 3, 5, 6, 7], choice.Shards);
        Assert.Equal("shards 1,3,5-7, by --shards", choice.Text);
    }

    /// <summary>What status shows is what the engines and the tool take.</summary>
    [Fact]
    public void Commands_AreInTheFormOfEachEngine()
    {
        IReadOnlyList<(int First, int Last)> ranges = ShardList.GetRanges([1, 3, 5, 6, 7]);
        Assert.Equal(
            ["sbatch --array=1,3,5-7", "qsub -t 2-2, qsub -t 4-4, qsub -t 6-8", "bsub -J 'run[2,4,6-8]'", "transfer run RUN --shards 1,3,5-7"], ShardList.GetCommands(ranges));
        Assert.True(ShardList.TryParse(ShardList.Format(ranges), out IReadOnlyList<(int First, int Last)> parsed));
        Assert.Equal(ranges, parsed);
        Assert.DoesNotContain(ShardList.GetCommands(ShardList.GetRanges([0, 2, 4, 6])), command => command.StartsWith("qsub", StringComparison.Ordinal)); // one array for each
        Assert.Empty(ShardList.GetRanges([]));
    }

    /// <summary>Every variable of the table is covered by a case above.</summary>
    [Fact]
    public void Table_HasEveryEngine() => Assert.Equal(
        ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX", "SGE_TASK_ID", "PBS_ARRAY_INDEX", "LSB_JOBINDEX", "CLOUD_RUN_TASK_INDEX", "BATCH_TASK_INDEX", "CI_NODE_INDEX"],
        EngineVariable.All.Select(variable => variable.Name));

    private static ShardChoice Resolve(string variables, string line)
    {
        ShardOptions options = new();
        (string, string)[] set = [.. variables.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(text => (text.Split('=')[0], text.Split('=')[1]))];
        OptionValues values = CliLine.Values(
            command =>
            {
                command.Add(options.Shard);
                command.Add(options.Shards);
            },
            line,
            set);
        return ShardChoice.Resolve(values, options);
    }
}
