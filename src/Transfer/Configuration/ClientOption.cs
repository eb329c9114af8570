namespace Transfer.S3.Configuration;

/// <summary>Describes an option of <see cref="TransferClientOptions"/> that can be set as text: its documentation, its other names, and how text sets it.</summary>
internal sealed class ClientOption
{
    /// <summary>Gets the name of the property, such as <c>Advanced:ChunkSizeBytes</c>, which is also the key in a configuration section.</summary>
    public required string Name { get; init; }

    /// <summary>Gets a sentence that says what the option sets.</summary>
    public required string Summary { get; init; }

    /// <summary>Gets the unit of the value; empty if it has none.</summary>
    public string Unit { get; init; } = string.Empty;

    public required string Default { get; init; }

    /// <summary>Gets the range or the values that are allowed; empty if everything is.</summary>
    public string Range { get; init; } = string.Empty;

    /// <summary>Gets the environment variable that sets the option; <see langword="null"/> if there is none.</summary>
    public string? Variable { get; init; }

    /// <summary>Gets the option of the tool; <see langword="null"/> if there is none.</summary>
    public string? ToolOption { get; init; }

    /// <summary>Gets what a configuration section accepts, for the end of an error message.</summary>
    public required string Accepted { get; init; }

    /// <summary>Gets the function that parses text and sets the option. It returns <see langword="false"/> if the text can't be parsed.</summary>
    public required Func<string, TransferClientOptions, bool> TryRead { get; init; }

    /// <summary>Gets the function that returns the current value; <see langword="null"/> if the option isn't set.</summary>
    public required Func<TransferClientOptions, object?> Value { get; init; }
}
