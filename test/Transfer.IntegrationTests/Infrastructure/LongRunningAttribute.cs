namespace Transfer.S3.IntegrationTests.Infrastructure;

/// <summary>
/// Starts the tests of a class before those of all other classes, because they take long and run one after another. If they started last, the other processors
/// would have nothing left to do.
/// </summary>
[AttributeUsage(AttributeTargets.Class)]
internal sealed class LongRunningAttribute : Attribute;
