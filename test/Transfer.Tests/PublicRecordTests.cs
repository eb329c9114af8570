using System.Reflection;
using Transfer.S3.Server;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests;

/// <summary>Public records can grow, and are compared only by what their users see.</summary>
public sealed class PublicRecordTests
{
    private const BindingFlags Instance = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.DeclaredOnly;

    /// <summary>Records with a positional constructor: pairs that don't grow, and the fault of a rule, whose other properties have names.</summary>
    private static readonly string[] Positional = ["FaultRule", "FilterRule", "JobShardTime", "S3Uri"];

    private static IEnumerable<Type> Records => new[] { typeof(TransferClient), typeof(TransferJob), typeof(EmbeddedS3Server) }
        .SelectMany(type => type.Assembly.GetExportedTypes())
        .Where(type => type.GetMethod("PrintMembers", Instance) is not null);

    [Fact]
    public void Records_ThatCanGrow_HaveNoPositionalConstructor()
        => Assert.Equal(Positional, Records.Where(type => type.GetMethod("Deconstruct", Instance) is not null).Select(type => type.Name).Order(StringComparer.Ordinal));

    /// <summary>The values of headers are no hidden state: each has a property that shows it.</summary>
    [Fact]
    public void Records_HaveNoHiddenState()
        => Assert.Empty(Records.SelectMany(type => type.GetFields(Instance).Where(field => field.FieldType != typeof(HeaderValues)).Select(GetName).Where(name => !IsPublic(type, name)).Select(name => $"{type.Name}.{name}")));

    [Fact]
    public void Headers_HaveProperties()
        => Assert.All(ObjectHeader.All.ToArray(), header => Assert.NotNull(typeof(UploadOptions).GetProperty(header.Option)));

    [Fact]
    public void Results_HaveStatistics_AndDoNotRepeatThem()
    {
        string[] numbers = [.. typeof(TransferStatistics).GetProperties().Select(property => property.Name)];
        Type[] results = [.. Records.Where(type => type.Name.EndsWith("Result", StringComparison.Ordinal))];

        Assert.NotEmpty(results);
        Assert.All(results, type => Assert.Equal(typeof(TransferStatistics), type.GetProperty("Statistics")?.PropertyType));
        Assert.All(results, type => Assert.Empty(type.GetProperties().Select(property => property.Name).Intersect(numbers)));
    }

    /// <summary>Gets the name of the property that a field belongs to, or else of the field.</summary>
    private static string GetName(FieldInfo field) => field.Name.StartsWith('<') ? field.Name[1..field.Name.IndexOf('>', StringComparison.Ordinal)] : field.Name;

    private static bool IsPublic(Type type, string name) => type.GetProperty(name, Instance)?.GetMethod is { IsPublic: true };
}
