using System.Reflection;

namespace Transfer.S3.Tests;

/// <summary>What is said of each of many objects, and of all together.</summary>
public sealed class OutcomeTests
{
    private static readonly PropertyInfo[] Numbers = [.. typeof(Counts).GetProperties().Where(property => property.PropertyType == typeof(long))];

    /// <summary>A count that the sum forgets would be lost where jobs, sources, and shards are added.</summary>
    [Fact]
    public void Sum_HasEveryCount()
    {
        (object left, object right) = (new Counts(), new Counts());
        for (int i = 0; i < Numbers.Length; i++)
        {
            Numbers[i].SetValue(left, i + 1L);
            Numbers[i].SetValue(right, 100L * (i + 1));
        }

        Counts sum = (Counts)left + (Counts)right;

        Assert.Equal(sum, Counts.Add((Counts)left, (Counts)right));
        Assert.Equal(Enumerable.Range(1, Numbers.Length).Select(i => 101L * i), Numbers.Select(number => (long)number.GetValue(sum)!));
    }

    [Theory]
    [InlineData(OutcomeStatus.Done, ObjectOperation.Copy, "Copied Bytes")]
    [InlineData(OutcomeStatus.Planned, ObjectOperation.Copy, "Copied Bytes")]
    [InlineData(OutcomeStatus.Done, ObjectOperation.Replace, "Replaced Bytes")]
    [InlineData(OutcomeStatus.Done, ObjectOperation.Delete, "Deleted DeletedBytes")]
    [InlineData(OutcomeStatus.Same, null, "Same")]
    [InlineData(OutcomeStatus.Same, ObjectOperation.Compare, "Same Bytes")]
    [InlineData(OutcomeStatus.Different, ObjectOperation.Compare, "Different Bytes")]
    [InlineData(OutcomeStatus.OnlyAtSource, ObjectOperation.Compare, "OnlyAtSource")]
    [InlineData(OutcomeStatus.OnlyAtTarget, ObjectOperation.Compare, "OnlyAtTarget")]
    [InlineData(OutcomeStatus.NotCompared, ObjectOperation.Compare, "NotCompared Bytes")]
    [InlineData(OutcomeStatus.Skipped, ObjectOperation.Copy, "Skipped")]
    [InlineData(OutcomeStatus.Archived, ObjectOperation.Copy, "Archived")]
    [InlineData(OutcomeStatus.Restoring, ObjectOperation.Copy, "Restoring")]
    [InlineData(OutcomeStatus.Shielded, ObjectOperation.Delete, "Shielded")]
    [InlineData(OutcomeStatus.Conflict, ObjectOperation.Replace, "Conflicts")]
    [InlineData(OutcomeStatus.Failed, ObjectOperation.Copy, "Failed")]
    public void Counts_OfOneOutcome(OutcomeStatus status, ObjectOperation? operation, string counted)
    {
        object counts = Counts.Of(new Outcome { Status = status, Operation = operation, Name = "a", Bytes = 5 });

        Assert.Equal(counted.Split(' ').Order(), Numbers.Where(number => (long)number.GetValue(counts)! != 0).Select(number => number.Name).Order());
    }

    [Theory]
    [InlineData("a/b", "/data/a/b")]
    [InlineData("/etc/passwd", "/data/etc/passwd")]
    [InlineData("d/", "/data/d/")]
    public void Target_InAFolder_IsBelowIt(string name, string expected)
    {
        Outcome outcome = new() { Status = OutcomeStatus.Done, Name = name, Bytes = 0, From = Place.InBucket("b", "p/"), To = Place.InDirectory("/data") };

        Assert.Equal((expected.Replace('/', Path.DirectorySeparatorChar), "s3://b/p/" + name), (outcome.Target, outcome.Source));
    }
}
