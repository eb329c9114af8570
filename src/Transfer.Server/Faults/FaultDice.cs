namespace Transfer.Server.Faults;

/// <summary>Decides by chance, the same for the same seed: one number a throw, whatever comes of it.</summary>
internal sealed class FaultDice(int seed, IReadOnlyDictionary<ServerFault, double> probabilities)
{
#pragma warning disable CA5394 // the same numbers for the same seed are the point
    private readonly Random _random = new(seed);
    private readonly KeyValuePair<ServerFault, double>[] _faults = [.. probabilities.OrderBy(static pair => pair.Key)];

    public ServerFault? Throw()
    {
        double number = _random.NextDouble();
#pragma warning restore CA5394
        foreach ((ServerFault fault, double probability) in _faults)
        {
            if (number < probability)
            {
                return fault;
            }

            number -= probability;
        }

        return null;
    }
}
