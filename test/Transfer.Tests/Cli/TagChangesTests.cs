using Transfer.S3.Cli.Commands;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Tests.Cli;

public sealed class TagChangesTests
{
    [Theory]
    [InlineData(128, 256, true)]
    [InlineData(129, 0, false)]
    [InlineData(1, 257, false)]
    [InlineData(0, 1, false)]
    public void Parse_LengthOfKeyAndValue_IsLimited(int key, int value, bool isValid)
    {
        string text = $"{new string('k', key)}={new string('v', value)}";
        Exception? error = Record.Exception(() => TagChanges.Parse([text], [], clear: false));
        Assert.Equal(isValid, error is null);
        Assert.True(isValid || (error is UsageException && error.Message.Contains("a key of 1 to 128 characters and a value of at most 256", StringComparison.Ordinal)));
    }

    [Fact]
    public void ApplyTo_SetAndRemove_KeepsTheOthers()
    {
        TagChanges changes = TagChanges.Parse(["a=2", "c=3"], ["b"], clear: false);
        Assert.Equal(
            [KeyValuePair.Create("a", "2"), KeyValuePair.Create("c", "3"), KeyValuePair.Create("d", "4")],
            changes.ApplyTo([KeyValuePair.Create("a", "1"), KeyValuePair.Create("b", "1"), KeyValuePair.Create("d", "4")]));
    }

    [Fact]
    public void ApplyTo_MoreThanTen_Throws()
    {
        IEnumerable<KeyValuePair<string, string>> ten = Enumerable.Range(0, 10).Select(number => KeyValuePair.Create($"k{number}", "v"));
        Assert.Equal(10, TagChanges.Parse(["k0=w"], [], clear: false).ApplyTo(ten).Count);
        Assert.Throws<UsageException>(() => TagChanges.Parse(["more=v"], [], clear: false).ApplyTo(ten));
    }
}
